package io.tidemark.nodecidr.cloud;

import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.time.BackoffPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When cloud and node of one node are compared again. The modes that synchronize do so at fixed
 * times, {@code CloudAllocator} after failures only: soon at first, after twenty of them every five
 * minutes, and never gives up.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
public final class CloudPauses {
  /** A failure is not reported as long as it may pass by itself, for so many attempts. */
  public static final int REPORTED_AFTER = 3;

  private static final Duration RESYNC = Duration.ofSeconds(30);
  private static final Duration RETRY_MAX = Duration.ofSeconds(10);
  private static final int SOON_MAX = 20;
  private static final Duration PARKED = Duration.ofMinutes(5);

  private final RandomGenerator random;
  private final boolean synchronizes;
  private int failures;

  /** Before the first pass; {@code random} spreads the pauses. */
  public CloudPauses(CidrAllocatorType type, RandomGenerator random) {
    this.random = random;
    this.synchronizes = type != CidrAllocatorType.CLOUD_ALLOCATOR;
  }

  /** A pass has ended well, or failed. */
  public void update(boolean ok) {
    failures = ok ? 0 : Math.min(failures + 1, SOON_MAX + 1);
  }

  /** Passes in a row that have failed, 21 at most. */
  public int failures() {
    return failures;
  }

  /** The pause from now on; empty when nothing is to be compared before something changes. */
  public Optional<Duration> next() {
    if (failures == 0) {
      return synchronizes ? Optional.of(RESYNC) : Optional.empty();
    }
    if (synchronizes) {
      Duration doubled = BackoffPolicy.REQUEST.base().multipliedBy(1L << (failures - 1));
      return Optional.of(doubled.compareTo(RETRY_MAX) < 0 ? doubled : RETRY_MAX);
    }
    return Optional.of(
        failures > SOON_MAX ? PARKED : BackoffPolicy.REQUEST.pause(failures, random));
  }
}
