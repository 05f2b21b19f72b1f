package io.tidemark.time;

import java.time.Duration;

/**
 * The clocks of a simulation: monotonic time is that of {@link VirtualTime}, the wall clock can be
 * set wrong without moving it. Used by the simulation's thread alone.
 */
public final class VirtualClock implements TimeSource {
  private final TimeSource base;
  private double driftPerNano;
  private long driftFromNanos;
  private long offsetMillis;

  VirtualClock(TimeSource base) {
    this.base = base;
  }

  @Override
  public long nanos() {
    return base.nanos();
  }

  @Override
  public long epochMillis() {
    return base.epochMillis() + offsetMillis + driftedMillis();
  }

  /** Steps the wall clock, back if negative; the monotonic clock is not affected. */
  public void step(Duration by) {
    offsetMillis += by.toMillis();
  }

  /**
   * From now on the wall clock gains {@code partsPerMillion} microseconds per second, loses when
   * negative; zero lets it run true again with what it gained before.
   */
  public void drift(double partsPerMillion) {
    offsetMillis += driftedMillis();
    driftFromNanos = base.nanos();
    driftPerNano = partsPerMillion / 1e6;
  }

  private long driftedMillis() {
    return driftPerNano == 0
        ? 0
        : (long) ((base.nanos() - driftFromNanos) * driftPerNano / 1_000_000);
  }
}
