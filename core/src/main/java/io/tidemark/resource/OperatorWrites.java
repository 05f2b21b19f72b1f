package io.tidemark.resource;

import java.util.Objects;
import java.util.Optional;

/**
 * The recorded writes to the operator's part of one version of an object.
 *
 * @param other the last other writer, if it wrote at the time of our last write or later; empty
 *     otherwise
 * @param ownSeconds time of the last write under our name, in seconds since 1970 by the backend's
 *     clock; {@link #NEVER} without one
 * @param podCidrs who wrote {@code spec.ipam.podCIDRs} last; empty where nobody did, or it is not
 *     recorded
 */
public record OperatorWrites(Optional<String> other, long ownSeconds, Optional<String> podCidrs) {
  /** Stands for no write. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Nothing is recorded. */
  public static final OperatorWrites NONE =
      new OperatorWrites(Optional.empty(), NEVER, Optional.empty());

  public OperatorWrites {
    Objects.requireNonNull(other, "other");
    Objects.requireNonNull(podCidrs, "podCidrs");
  }

  /**
   * The last writer as seen by an operator that took over from a predecessor of the same name.
   * Times are whole seconds; a write in the last second counts as the predecessor's.
   *
   * @param lastSeconds the latest time at which a request of the predecessor can have arrived, in
   *     seconds since 1970 by the backend's clock; {@link Long#MIN_VALUE} without a take-over
   */
  public LastWriter takenOver(long lastSeconds) {
    return new LastWriter(
        other, other.isEmpty() && ownSeconds <= lastSeconds, podCidrs, ownSeconds);
  }
}
