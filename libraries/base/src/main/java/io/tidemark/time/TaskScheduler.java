package io.tidemark.time;

import java.time.Duration;

/**
 * Runs short tasks later, without a thread per task. Thread-safe; never blocks the caller.
 *
 * <p>A task must not block: it posts to a lane or starts a stage. A task that throws is reported
 * and does not harm the scheduler.
 */
public interface TaskScheduler {
  /** The longest delay: sums with it do not overflow. */
  Duration CENTURY = Duration.ofDays(36_525);

  /**
   * Runs {@code task} once, at {@code nanos} of the {@link TimeSource} this scheduler belongs to,
   * or as soon as possible when that lies in the past. Tasks of the same instant run in the order
   * in which they were given.
   */
  Cancellable at(long nanos, Runnable task);

  /** The clock that {@link #at} refers to. */
  TimeSource time();

  /**
   * Runs {@code task} once after {@code delay}; a delay of zero or less means as soon as possible,
   * one of more than a century means a century.
   */
  default Cancellable after(Duration delay, Runnable task) {
    Duration longest = delay.compareTo(CENTURY) > 0 ? CENTURY : delay;
    return at(time().nanos() + (delay.isNegative() ? 0 : longest.toNanos()), task);
  }
}
