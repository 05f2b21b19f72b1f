package io.tidemark.demand;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * How long each step takes now, from the decision until pods can use the addresses: the mean of the
 * recent steps and four times their mean deviation, as TCP estimates its retransmission timeout
 * (RFC 6298). The wait for a token counts, and so does a pass that is repeated after a throttle;
 * the clock starts anew after any other failure. Thread-safe.
 */
public final class LeadTimes {
  /** An agent tells of its pods at most this often. */
  public static final Duration AGENT_WRITES = Duration.ofSeconds(15);

  private static final double MEAN_GAIN = 1.0 / 8;
  private static final double DEVIATION_GAIN = 1.0 / 4;

  /** Longer steps count as this long: they wait for a person, not for the cloud. */
  private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

  private final Map<GrowthKind, Estimate> steps = new EnumMap<>(GrowthKind.class);

  /** A step ended with addresses that pods can use, {@code tookNanos} after it was decided. */
  public synchronized void ended(GrowthKind step, long tookNanos) {
    long nanos = Math.min(tookNanos, LONGEST_NANOS);
    Estimate before = steps.get(step);
    steps.put(step, before == null ? Estimate.first(nanos) : before.with(nanos));
  }

  /** The time that the next such step takes with high probability. */
  public synchronized Duration of(GrowthKind step) {
    Estimate known = steps.get(step);
    return known == null ? step.usual() : Duration.ofNanos(known.boundNanos());
  }

  /** The same, from a pod's arrival on, of which the agent tells late. */
  public Duration withReport(GrowthKind step) {
    return of(step).plus(AGENT_WRITES);
  }

  private record Estimate(double mean, double deviation) {
    static Estimate first(long nanos) {
      return new Estimate(nanos, nanos / 4.0);
    }

    Estimate with(long nanos) {
      double error = nanos - mean;
      return new Estimate(
          mean + MEAN_GAIN * error, deviation + DEVIATION_GAIN * (Math.abs(error) - deviation));
    }

    long boundNanos() {
      return (long) (mean + 4 * deviation);
    }
  }
}
