package io.tidemark.demand;

import java.time.Duration;

/**
 * The growth that a node must be ready for, by the length of the time in which it must do without
 * new addresses. Immutable.
 */
public final class GrowthForecast {
  /** Neither on the node nor in its group has a pod arrived yet. */
  public static final GrowthForecast UNKNOWN = new GrowthForecast(new double[0], 0, false);

  private final double[] byWindow;
  private final double onNew;
  private final boolean sure;

  /**
   * Takes both over.
   *
   * @param byWindow addresses by window
   * @param onNew addresses that the first minutes of a new node still need, 0 for any other
   * @param sure enough pods arrived to say what is exceeded as seldom as the quantile says
   */
  GrowthForecast(double[] byWindow, double onNew, boolean sure) {
    this.byWindow = byWindow;
    this.onNew = onNew;
    this.sure = sure;
  }

  boolean isSure() {
    return sure;
  }

  boolean isKnown() {
    return byWindow.length > 0;
  }

  /**
   * The growth in a time of this length: between two windows, and above the last, in proportion.
   */
  double within(Duration time) {
    double nanos = time.toNanos();
    int longer = 0;
    while (longer < byWindow.length && GrowthBuckets.windowNanos(longer) < nanos) {
      longer++;
    }
    if (longer == 0) {
      return byWindow[0];
    }
    double below = byWindow[longer - 1];
    double start = GrowthBuckets.windowNanos(longer - 1);
    if (longer == byWindow.length) {
      return below * nanos / start;
    }
    double share = (nanos - start) / (GrowthBuckets.windowNanos(longer) - start);
    return below + (byWindow[longer] - below) * share;
  }

  /** The addresses that the first minutes of a new node still need. */
  double onNew() {
    return onNew;
  }
}
