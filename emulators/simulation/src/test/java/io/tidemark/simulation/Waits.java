package io.tidemark.simulation;

import java.util.List;

/**
 * How long nodes waited.
 *
 * @param seconds ascending
 * @param unserved those who still wait
 */
public record Waits(List<Double> seconds, int unserved) {
  public Waits {
    seconds = List.copyOf(seconds);
  }

  /** The shortest wait. */
  public double first() {
    return at(0);
  }

  /** The longest; infinite while somebody waits. */
  public double last() {
    return unserved > 0 ? Double.POSITIVE_INFINITY : at(1);
  }

  /** The wait that this share of the nodes did not exceed. */
  public double at(double share) {
    if (seconds.isEmpty()) {
      return Double.NaN;
    }
    int index = (int) Math.ceil(share * seconds.size()) - 1;
    return seconds.get(Math.max(0, Math.min(seconds.size() - 1, index)));
  }
}
