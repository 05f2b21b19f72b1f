package io.tidemark.demand;

import java.time.Duration;

/**
 * The demand of the nodes of one group: those of one instance type and one node pool. It is what a
 * node goes by until enough pods have arrived on it, and what a new node starts with. Thread-safe.
 */
public final class GroupDemand {
  /** A node counts as new for this long. */
  static final Duration FIRST = Duration.ofMinutes(5);

  /** The row of growth since the node joined, beside those of the windows. */
  static final int JOINED = GrowthBuckets.WINDOWS;

  private static final double WEIGHT_MAX = 1L << 30;

  private final double[][] counts = new double[GrowthBuckets.WINDOWS + 1][GrowthBuckets.CLASSES];

  /** The weight of a pod that arrives at {@link #weighedNanos}. */
  private double weight = 1;

  private long weighedNanos;

  /** The sum of the squares of the weights of all pods. */
  private double squares;

  /** The last answer of {@link #isSure}. */
  private boolean sure;

  /**
   * Starts without any pods.
   *
   * @param nowNanos of a monotonic clock, as everywhere here
   */
  public GroupDemand(long nowNanos) {
    weighedNanos = nowNanos;
  }

  /**
   * Pods arrived.
   *
   * @param row a window, or {@link #JOINED} for a node that is new
   * @param first growth in the window or since the node joined, the first pod included
   * @param last the same of the last pod
   */
  synchronized void arrived(int row, int first, int last, long nowNanos) {
    double podWeight = weigh(nowNanos);
    for (int growth = first; growth <= last; growth++) {
      counts[row][GrowthBuckets.classOf(growth)] += podWeight;
      squares += row == 0 ? podWeight * podWeight : 0;
    }
  }

  /**
   * Adds the pods of a window to {@code into}.
   *
   * @param most the group adds at most this many, in proportion; at least 0
   * @return how many it added
   */
  synchronized double addTo(double[] into, int window, double most, long nowNanos) {
    double podWeight = weigh(nowNanos);
    double[] row = counts[window];
    double total = 0;
    for (double each : row) {
      total += each;
    }
    if (total == 0) {
      return 0;
    }
    double pods = Math.min(most, total / podWeight);
    for (int each = 0; each < row.length; each++) {
      into[each] += row[each] / total * pods;
    }
    return pods;
  }

  /**
   * Whether enough pods arrived to say what the share {@code 1 - quantile} of them meets: that is
   * one pod or more, until it is half a pod or less. Counted are those of equal weight that would
   * tell as much (Kish's effective sample size): fewer than have arrived if the last ones outweigh
   * the others, and as many however much time passes without any. The answer is remembered, so all
   * calls are about one quantile.
   */
  synchronized boolean isSure(double quantile) {
    double total = 0;
    for (double each : counts[0]) {
      total += each;
    }
    double pods = total == 0 ? 0 : total * total / squares;
    double beyond = pods * (1 - quantile);
    sure = beyond >= 1 || (sure && beyond > 0.5);
    return sure;
  }

  /** The pods that a new node gets in its first minutes, at a quantile; 0 until one was seen. */
  double onNew(double quantile, long nowNanos) {
    double[] row = new double[GrowthBuckets.CLASSES];
    double total = addTo(row, JOINED, Double.MAX_VALUE, nowNanos);
    return total == 0 ? 0 : GrowthBuckets.quantile(row, total, quantile);
  }

  /**
   * The weight of a pod that arrives now; earlier ones keep theirs, so they count less and less.
   */
  private double weigh(long nowNanos) {
    if (nowNanos > weighedNanos) {
      weight *= Math.pow(2, (nowNanos - weighedNanos) / (double) GrowthBuckets.HALF_LIFE_NANOS);
      weighedNanos = nowNanos;
    }
    if (weight > WEIGHT_MAX) {
      for (double[] row : counts) {
        for (int each = 0; each < row.length; each++) {
          row[each] /= weight;
        }
      }
      squares /= weight * weight;
      weight = 1;
    }
    return weight;
  }
}
