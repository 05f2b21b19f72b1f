package io.tidemark.resilience;

import io.tidemark.time.TimeSource;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The monotonic time as the kind of clock that libraries ask for; its dates mean nothing. */
final class MonotonicClock extends Clock {
  private final TimeSource time;
  private final long originNanos;

  MonotonicClock(TimeSource time) {
    this.time = time;
    this.originNanos = time.nanos();
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(time.nanos() - originNanos);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  /** Itself: a zone changes nothing about instants. */
  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
