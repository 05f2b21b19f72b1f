package io.tidemark.simulation;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The results of a run. The same scenario gives the same report, wall time apart.
 *
 * @param nodes nodes that ever existed
 * @param virtualSeconds simulated time, settling included
 * @param wallSeconds time it took
 * @param calls requests that reached the cloud, by operation
 * @param throttled those of them that the cloud refused for their number
 * @param addresses pod addresses attached at the end
 * @param interfaces interfaces attached at the end
 * @param violations what should never have happened, oldest first
 */
public record SimulationReport(
    int nodes,
    double virtualSeconds,
    double wallSeconds,
    TimeToWatermark timeToWatermark,
    SortedMap<String, Long> calls,
    long throttled,
    int addresses,
    int interfaces,
    List<Violation> violations) {
  public SimulationReport {
    calls = Collections.unmodifiableSortedMap(new TreeMap<>((Map<String, Long>) calls));
    violations = List.copyOf(violations);
  }

  /**
   * Seconds from the appearance of a node to its first full pool, over all nodes that got there;
   * all 0 when none did.
   */
  public record TimeToWatermark(double first, double p50, double p90, double p99, double last) {
    /** Over these times in nanoseconds, which need no order. */
    static TimeToWatermark of(long[] nanos) {
      long[] sorted = nanos.clone();
      java.util.Arrays.sort(sorted);
      return new TimeToWatermark(
          at(sorted, 0), at(sorted, 0.5), at(sorted, 0.9), at(sorted, 0.99), at(sorted, 1));
    }

    private static double at(long[] sorted, double share) {
      if (sorted.length == 0) {
        return 0;
      }
      int index = (int) Math.ceil(share * sorted.length) - 1;
      return millis(sorted[Math.max(0, index)]);
    }
  }

  /** Seconds, to the millisecond. */
  static double millis(long nanos) {
    long whole = nanos / 1_000_000;
    return whole / 1e3;
  }

  /** The same report with another wall time. */
  public SimulationReport withWallSeconds(double seconds) {
    return new SimulationReport(
        nodes,
        virtualSeconds,
        seconds,
        timeToWatermark,
        calls,
        throttled,
        addresses,
        interfaces,
        violations);
  }
}
