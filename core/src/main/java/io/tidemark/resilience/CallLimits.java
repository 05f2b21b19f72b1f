package io.tidemark.resilience;

import java.time.Duration;

/**
 * Pacing of one kind of request, one bucket per account and region.
 *
 * @param callsPerSecond the cloud's documented refill; 0.5 is one call every two seconds, infinite
 *     if the kind has no limit of its own
 * @param burst the cloud's documented bucket size
 * @param attemptTimeout timeout of one attempt on the wire
 * @param attempts the maximum of attempts of one call, 1 or more
 */
public record CallLimits(double callsPerSecond, int burst, Duration attemptTimeout, int attempts) {
  public CallLimits {
    require(callsPerSecond > 0, "calls-per-second", callsPerSecond, "above 0");
    require(burst >= 1, "burst", burst, "1 or more");
    require(
        !attemptTimeout.isNegative() && !attemptTimeout.isZero(),
        "attempt-timeout",
        attemptTimeout,
        "above 0");
    require(attempts >= 1, "attempts", attempts, "1 or more");
  }

  static void require(boolean holds, String key, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(key + " is " + value + "; expected " + expected);
    }
  }
}
