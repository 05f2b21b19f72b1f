package io.tidemark.cluster.lease;

import io.tidemark.time.TimeSource;
import java.time.Duration;

/** A reading of both clocks: a machine that slept, or whose clock was set, shows on one of them. */
record Moment(long nanos, long epochMillis) {
  static Moment of(TimeSource time) {
    return new Moment(time.nanos(), time.epochMillis());
  }

  /** How long after this {@code later} is, by the clock that shows more time. */
  Duration until(Moment later) {
    Duration monotonic = Duration.ofNanos(later.nanos - nanos);
    Duration wall = Duration.ofMillis(later.epochMillis - epochMillis);
    return monotonic.compareTo(wall) > 0 ? monotonic : wall;
  }

  /** How long after this {@code later} is, by the monotonic clock alone. */
  Duration monotonicUntil(Moment later) {
    return Duration.ofNanos(later.nanos - nanos);
  }
}
