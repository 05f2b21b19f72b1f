package io.tidemark.provider.mock.cloud;

import java.time.Duration;
import java.util.Objects;

/**
 * The behaviour of the cloud.
 *
 * @param seed of interface ids and MAC addresses
 * @param types what instances can carry
 * @param bucketScale share of the documented token buckets that is ours, 0 for no buckets at all
 * @param stalenessMax how far a read may lie behind; so long is the past remembered
 * @param faults what goes wrong
 */
public record CloudSettings(
    long seed, InstanceTypes types, double bucketScale, Duration stalenessMax, FaultPlan faults) {
  /** How many interfaces one answer lists at most. */
  public static final int PAGE_SIZE = 1000;

  public CloudSettings {
    Objects.requireNonNull(types, "types");
    Objects.requireNonNull(faults, "faults");
    if (!(bucketScale >= 0) || Double.isInfinite(bucketScale)) {
      throw new IllegalArgumentException("bucketScale is " + bucketScale + "; expected 0 or more");
    }
    if (stalenessMax.isNegative()) {
      throw new IllegalArgumentException(
          "stalenessMax is " + stalenessMax + "; expected 0 or more");
    }
  }

  /** A well-behaved cloud without limits on requests. */
  public static CloudSettings calm() {
    return new CloudSettings(1, InstanceTypes.standard(), 0, Duration.ZERO, FaultPlan.none());
  }

  /** The same with token buckets. */
  public CloudSettings withBuckets(double scale) {
    return new CloudSettings(seed, types, scale, stalenessMax, faults);
  }

  /** The same with other faults. */
  public CloudSettings withFaults(FaultPlan plan) {
    return new CloudSettings(seed, types, bucketScale, stalenessMax, plan);
  }

  /** The same with reads that may lag. */
  public CloudSettings withStaleness(Duration max) {
    return new CloudSettings(seed, types, bucketScale, max, faults);
  }

  /** The same with another seed. */
  public CloudSettings withSeed(long other) {
    return new CloudSettings(other, types, bucketScale, stalenessMax, faults);
  }
}
