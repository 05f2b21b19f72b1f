package io.tidemark.provider.azure.figures;

import java.util.List;

/**
 * How long nodes waited.
 *
 * @param seconds ascending
 * @param unserved those who still wait
 */
record Waits(List<Double> seconds, int unserved) {
  Waits {
    seconds = List.copyOf(seconds);
  }

  double first() {
    return at(0);
  }

  double last() {
    return unserved > 0 ? Double.POSITIVE_INFINITY : at(1);
  }

  /** The wait that this share of the nodes did not exceed. */
  double at(double share) {
    if (seconds.isEmpty()) {
      return Double.NaN;
    }
    int index = (int) Math.ceil(share * seconds.size()) - 1;
    return seconds.get(Math.max(0, Math.min(seconds.size() - 1, index)));
  }
}
