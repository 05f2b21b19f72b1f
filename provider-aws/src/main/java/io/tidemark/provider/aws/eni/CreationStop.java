package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.resilience.Failure;
import io.tidemark.time.TimeSource;
import java.time.Duration;

/**
 * The region's quota of interfaces is used up: nobody creates one for a while (provider-aws 1.3,
 * REGION_QUOTA). Thread-safe.
 */
final class CreationStop {
  static final Duration LASTS = Duration.ofMinutes(5);

  /** Why nothing is created meanwhile. */
  static final Failure FAILURE =
      Ec2Condition.REGION_QUOTA.failure(
          "the region's quota of network interfaces was used up a short while ago");

  private final TimeSource time;
  private volatile long untilNanos;
  private volatile boolean set;

  CreationStop(TimeSource time) {
    this.time = time;
  }

  void quotaExceeded() {
    untilNanos = time.nanos() + LASTS.toNanos();
    set = true;
  }

  boolean isOn() {
    return set && time.nanos() - untilNanos < 0;
  }
}
