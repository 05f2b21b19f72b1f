package io.tidemark.datastore;

import java.time.Duration;

/**
 * How long a released address is kept from other sandboxes. A client that was connecting to the pod
 * that had it goes on trying for 120 seconds, and must not reach another one. An address cools up
 * to and including the last instant of its period.
 *
 * @param period how long; zero for no cooldown
 * @param floor how long also when no other address is left and the node can get no more; not above
 *     the period
 */
public record CooldownRule(Duration period, Duration floor) {
  private static final Duration PERIOD_MAX = Duration.ofHours(1);

  /** 130 seconds, of which 30 always. */
  public static final CooldownRule DEFAULT =
      new CooldownRule(Duration.ofSeconds(130), Duration.ofSeconds(30));

  /** That of the AWS VPC CNI: 30 seconds, always. */
  public static final CooldownRule UPSTREAM =
      new CooldownRule(Duration.ofSeconds(30), Duration.ofSeconds(30));

  public CooldownRule {
    if (period.isNegative() || period.compareTo(PERIOD_MAX) > 0) {
      throw new IllegalArgumentException("ip-cooldown is " + period + "; expected 0 to 1 hour");
    }
    if (floor.isNegative() || floor.compareTo(period) > 0) {
      throw new IllegalArgumentException(
          "ip-cooldown-floor is " + floor + "; expected 0 to ip-cooldown, which is " + period);
    }
  }

  /**
   * The rule that {@code IP_COOLDOWN_PERIOD} means to the AWS VPC CNI: whole seconds, and its
   * default for what is no whole number.
   *
   * @throws IllegalArgumentException for a negative number, that the AWS VPC CNI accepts
   */
  public static CooldownRule parseUpstream(String seconds) {
    try {
      Duration period = Duration.ofSeconds(Integer.parseInt(seconds));
      return new CooldownRule(period, period);
    } catch (NumberFormatException e) {
      return UPSTREAM;
    }
  }

  /** Whether an address that was released {@code nanos} ago still cools. */
  boolean cools(long nanos) {
    return !period.isZero() && nanos <= period.toNanos();
  }

  /** Whether it may be assigned when no other is left. */
  boolean isAboveFloor(long nanos) {
    return nanos >= floor.toNanos();
  }
}
