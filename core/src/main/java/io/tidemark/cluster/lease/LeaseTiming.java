package io.tidemark.cluster.lease;

import java.time.Duration;

/**
 * The three times of a leader election, with the names and defaults of the reference (node-manager
 * 8, {@code leader-election-*}).
 *
 * @param lease how long others wait for a holder that does not renew
 * @param renewDeadline how long the holder goes on without having renewed; shorter than the lease,
 *     so that a request which it sent at the last moment is over before another begins
 * @param retryPeriod between two renewals
 */
public record LeaseTiming(Duration lease, Duration renewDeadline, Duration retryPeriod) {
  /** 15, 10 and 2 seconds. */
  public static final LeaseTiming USUAL =
      new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

  public LeaseTiming {
    if (retryPeriod.isNegative()
        || retryPeriod.isZero()
        || renewDeadline.compareTo(retryPeriod) <= 0
        || lease.compareTo(renewDeadline) <= 0) {
      throw new IllegalArgumentException(
          "lease "
              + lease
              + ", renew deadline "
              + renewDeadline
              + ", retry period "
              + retryPeriod
              + "; expected lease > renew deadline > retry period > 0");
    }
  }

  /** Between two reads of another's lease: short, so that its end is noticed soon. */
  Duration look() {
    return retryPeriod.dividedBy(4);
  }
}
