package io.tidemark.provider.mock.cloud;

import java.time.Duration;
import java.util.Map;

/**
 * The behaviour of the cloud.
 *
 * @param seed of interface ids and MAC addresses
 * @param types limits by the name of the instance type, beside the built-in ones
 * @param bucketScale share of the request buckets that is ours, 0 for no buckets at all
 * @param stalenessMax how far a read may lie behind; so long is the past remembered
 */
public record CloudSettings(
    long seed,
    Map<String, InstanceLimits> types,
    double bucketScale,
    Duration stalenessMax,
    FaultPlan faults) {
  /** A well-behaved cloud without limits on requests. */
  public static CloudSettings calm() {
    return new CloudSettings(1, Map.of(), 0, Duration.ZERO, (any, one) -> FaultPlan.Fault.NONE);
  }

  /** The limits of an instance type; the usual ones for a type that nobody listed. */
  public InstanceLimits limits(String type) {
    return types.getOrDefault(type, InstanceLimits.of(type));
  }
}
