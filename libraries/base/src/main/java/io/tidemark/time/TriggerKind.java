package io.tidemark.time;

import java.time.Duration;

/**
 * The properties that all triggers of a kind share.
 *
 * @param name for log lines, such as {@code pool-maintainer}
 * @param minInterval between the starts of two runs; zero for none
 * @param scheduler runs the trigger after the interval
 * @param observer receives every request and run
 */
public record TriggerKind(
    String name, Duration minInterval, TaskScheduler scheduler, TriggerObserver observer) {
  /** Nanoseconds to wait before a run may start (NM-T3); never negative. */
  static long delayNanos(long minIntervalNanos, boolean ranBefore, long lastStart, long now) {
    return ranBefore ? Math.max(0, minIntervalNanos - (now - lastStart)) : 0;
  }
}
