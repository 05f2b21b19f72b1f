package io.tidemark.resilience;

import io.tidemark.config.CallCeiling;
import java.time.Duration;
import java.util.Optional;

/**
 * Rate limits, retries and circuit breakers; the same for all accounts. Limits per kind of request
 * are in {@link CallLimits}.
 *
 * @param pacing where the buckets come from
 * @param ceiling an additional hard limit over all calls ({@code limit-ipam-api-qps}, {@code
 *     limit-ipam-api-burst})
 * @param workers concurrent requests ({@code parallel-alloc-workers}), 1 or more; one kind gets at
 *     most three quarters of them
 * @param maxWaiting the maximum of calls and admissions that wait for one kind of token, 1 or more;
 *     more are refused
 * @param retries pauses before retries
 * @param breaker when requests to a failing API stop
 */
public record CloudCallsConfig(
    Pacing pacing,
    Optional<CallCeiling> ceiling,
    int workers,
    int maxWaiting,
    Retries retries,
    Breaker breaker) {
  /** Where the buckets come from. */
  public enum Pacing {
    /** The documented limits at first, then the rate that the cloud accepts. */
    ADAPTIVE,
    /** The documented limits, always. */
    FIXED,
    /** No limits. */
    NONE
  }

  /**
   * Full-jitter exponential back-off: the pause after attempt n is uniformly random between zero
   * and the smaller of {@code cap} and {@code base * 2^(n-1)}.
   *
   * @param base bound of the first pause, at least a millisecond
   * @param throttleBase the same after a throttle
   * @param cap bound of all pauses, no shorter than the other two
   */
  public record Retries(Duration base, Duration throttleBase, Duration cap) {}

  /**
   * When requests to a failing API stop, per account and separately for reads and changes.
   *
   * @param window calls in the window
   * @param minimumCalls below so many calls in the window nothing is decided
   * @param failurePercent opens at this share of failed calls, 1 to 100
   * @param open how long no call is sent
   * @param probes calls that are sent after that as probes
   */
  public record Breaker(
      int window, int minimumCalls, int failurePercent, Duration open, int probes) {}

  /** Adaptive buckets and no ceiling, for 50 workers and clusters of up to 20,000 nodes. */
  public static CloudCallsConfig defaults() {
    return new CloudCallsConfig(
        Pacing.ADAPTIVE,
        Optional.empty(),
        50,
        50_000,
        new Retries(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(20)),
        new Breaker(100, 20, 50, Duration.ofSeconds(10), 5));
  }

  /** The same with other buckets. */
  public CloudCallsConfig withPacing(Pacing other) {
    return new CloudCallsConfig(other, ceiling, workers, maxWaiting, retries, breaker);
  }

  /** The same with a hard limit over all calls. */
  public CloudCallsConfig withCeiling(double callsPerSecond, int burst) {
    Optional<CallCeiling> other = Optional.of(new CallCeiling(callsPerSecond, burst));
    return new CloudCallsConfig(pacing, other, workers, maxWaiting, retries, breaker);
  }

  /** The same with another number of workers. */
  public CloudCallsConfig withWorkers(int other) {
    return new CloudCallsConfig(pacing, ceiling, other, maxWaiting, retries, breaker);
  }

  /** Workers that one kind may occupy. */
  int workersPerKind() {
    return (int) Math.max(1, workers * 3L / 4);
  }
}
