package io.tidemark.demand;

import java.time.Duration;
import java.util.Arrays;

/**
 * The demand of one node: before each pod that arrives, by how much the used addresses had grown in
 * windows of a few lengths. Pods are counted, not time, so that a quantile is the share of pods
 * that find an address. Counts halve every six hours, and when one of their window is full. At most
 * 300 bytes. Confined to the thread that decides about the node.
 */
public final class NodeDemand {
  /** The group counts as much as this many pods of the node itself. */
  private static final double GROUP_PODS = 2_000;

  /** The count of a pod at the start of a half-life; at its end it is twice as much. */
  private static final int WEIGHT = 16;

  /** The current half of a window and those before it: 1 to 1.5 windows together. */
  private static final int SLOTS = 3;

  private final GroupDemand group;

  /** By window and class. */
  private final char[] counts = new char[GrowthBuckets.WINDOWS * GrowthBuckets.CLASSES];

  /** The least use of the current half of each window, then of those before it. */
  private final char[] least = new char[GrowthBuckets.WINDOWS * SLOTS];

  private final long joinedNanos;
  private long weighedNanos;
  private long observedNanos;
  private int used;

  /**
   * Begins with the use of this moment.
   *
   * @param age since the node joined the cluster; long for a node that was there before
   */
  public NodeDemand(GroupDemand group, int used, Duration age, long nowNanos) {
    this.group = group;
    boolean old = age.compareTo(GroupDemand.FIRST) > 0;
    this.joinedNanos = nowNanos - (old ? GroupDemand.FIRST : age).toNanos();
    this.weighedNanos = nowNanos;
    this.observedNanos = nowNanos;
    this.used = Math.min(used, Character.MAX_VALUE);
    Arrays.fill(least, (char) this.used);
  }

  /**
   * Takes in the use of this moment.
   *
   * @param pods addresses that pods have; not negative
   * @param nowNanos not before the last observation
   */
  public void observe(int pods, long nowNanos) {
    int nowUsed = Math.min(pods, Character.MAX_VALUE);
    int weight = nowUsed > used ? weigh(nowNanos) : 0;
    for (int window = 0; window < GrowthBuckets.WINDOWS; window++) {
      int base = Math.min(leastSince(window, nowNanos), nowUsed);
      for (int pod = used + 1; pod <= nowUsed; pod++) {
        count(window, pod - base, weight);
      }
      if (nowUsed > used) {
        group.arrived(window, used + 1 - base, nowUsed - base, nowNanos);
      }
      int current = window * SLOTS;
      least[current] = (char) Math.min(least[current], nowUsed);
    }
    if (nowUsed > used && isNew(nowNanos)) {
      group.arrived(GroupDemand.JOINED, used + 1, nowUsed, nowNanos);
    }
    observedNanos = nowNanos;
    used = nowUsed;
  }

  /** The least use in a window, after its halves were moved on to the present one. */
  private int leastSince(int window, long nowNanos) {
    long half = GrowthBuckets.windowNanos(window) / 2;
    long passed =
        Math.min(SLOTS, Math.floorDiv(nowNanos, half) - Math.floorDiv(observedNanos, half));
    int first = window * SLOTS;
    for (long each = 0; each < passed; each++) {
      least[first + 2] = least[first + 1];
      least[first + 1] = least[first];
      least[first] = (char) used;
    }
    return Math.min(least[first], Math.min(least[first + 1], least[first + 2]));
  }

  private void count(int window, int growth, int weight) {
    int at = window * GrowthBuckets.CLASSES + GrowthBuckets.classOf(growth);
    if (counts[at] + weight > Character.MAX_VALUE) {
      halve(window * GrowthBuckets.CLASSES, (window + 1) * GrowthBuckets.CLASSES);
    }
    counts[at] += (char) weight;
  }

  private void halve(int from, int end) {
    for (int each = from; each < end; each++) {
      counts[each] = (char) (counts[each] / 2);
    }
  }

  /** The count of a pod that arrives now. */
  private int weigh(long nowNanos) {
    while (nowNanos - weighedNanos >= GrowthBuckets.HALF_LIFE_NANOS) {
      halve(0, counts.length);
      weighedNanos += GrowthBuckets.HALF_LIFE_NANOS;
    }
    double lives = (nowNanos - weighedNanos) / (double) GrowthBuckets.HALF_LIFE_NANOS;
    return (int) Math.round(WEIGHT * Math.pow(2, lives));
  }

  private boolean isNew(long nowNanos) {
    return nowNanos - joinedNanos < GroupDemand.FIRST.toNanos();
  }

  /**
   * The growth that only the share {@code 1 - quantile} of the pods meets, in each window, by the
   * node's own pods and those of its group; for a new node also what its first minutes still bring.
   */
  public GrowthForecast forecast(double quantile, long nowNanos) {
    double[] growth = new double[GrowthBuckets.WINDOWS];
    double[] pods = new double[GrowthBuckets.CLASSES];
    int weight = weigh(nowNanos);
    for (int window = 0; window < growth.length; window++) {
      double total = 0;
      for (int each = 0; each < pods.length; each++) {
        pods[each] = counts[window * GrowthBuckets.CLASSES + each] / (double) weight;
        total += pods[each];
      }
      total += group.addTo(pods, window, GROUP_PODS, nowNanos);
      if (total == 0) {
        return GrowthForecast.UNKNOWN;
      }
      growth[window] = GrowthBuckets.quantile(pods, total, quantile);
    }
    double onNew = isNew(nowNanos) ? group.onNew(quantile, nowNanos) - used : 0;
    return new GrowthForecast(growth, Math.max(0, onNew), group.isSure(quantile));
  }
}
