package io.tidemark.demand;

import java.util.concurrent.TimeUnit;

/** The windows in which growth is measured, and the classes in which it is counted. Stateless. */
final class GrowthBuckets {
  /** A pod that lately arrived counts twice as much as one that arrived this long before. */
  static final long HALF_LIFE_NANOS = TimeUnit.HOURS.toNanos(6);

  /** The largest growth of each class; what is above the last counts as the last. */
  private static final int[] UP_TO = {1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 64};

  private static final int[] WINDOW_SECONDS = {4, 16, 32, 64, 128, 512, 2048};

  static final int CLASSES = UP_TO.length;
  static final int WINDOWS = WINDOW_SECONDS.length;

  private GrowthBuckets() {}

  static long windowNanos(int window) {
    return TimeUnit.SECONDS.toNanos(WINDOW_SECONDS[window]);
  }

  static int classOf(int growth) {
    int found = 0;
    while (found < CLASSES - 1 && growth > UP_TO[found]) {
      found++;
    }
    return found;
  }

  /**
   * The growth that only the share {@code 1 - quantile} of the counted pods exceeds; between the
   * bounds of a class in proportion.
   *
   * @param counts pods by class
   * @param total of {@code counts}, above 0
   */
  static double quantile(double[] counts, double total, double quantile) {
    double tail = (1 - quantile) * total;
    double above = 0;
    for (int each = CLASSES - 1; each > 0; each--) {
      double count = counts[each];
      if (above + count > tail) {
        return UP_TO[each] - (UP_TO[each] - UP_TO[each - 1]) * ((tail - above) / count);
      }
      above += count;
    }
    return UP_TO[0];
  }
}
