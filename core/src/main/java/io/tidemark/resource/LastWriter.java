package io.tidemark.resource;

import java.util.Optional;

/**
 * Who wrote the operator's part of one version of an object: {@code spec.ipam.pool} and the clouds'
 * sections of the status, and {@code spec.ipam.podCIDRs}.
 *
 * @param other the field manager of another program that wrote it at the time of our last write or
 *     later; empty if there is none
 * @param predecessor whether there is no such program and all writes under our own name may have
 *     been sent by our predecessor: they arrived before we took over or, by the backend's clock,
 *     shortly after. Our own writes of that time look the same, so the value is meaningful only
 *     until we have written the object. Always false without a take-over
 * @param podCidrs who wrote {@code spec.ipam.podCIDRs} last; empty where nobody did, or it is not
 *     recorded
 * @param ownSeconds time of the last write under our own name, in seconds since 1970 by the
 *     backend's clock; {@link #NEVER} without one
 */
public record LastWriter(
    Optional<String> other, boolean predecessor, Optional<String> podCidrs, long ownSeconds) {
  /** Stands for no write. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The backend does not record writers. */
  public static final LastWriter UNKNOWN =
      new LastWriter(Optional.empty(), false, Optional.empty(), NEVER);

  /**
   * The same as seen by an operator that took over from a predecessor of the same name. Times are
   * whole seconds; a write in the last second counts as the predecessor's.
   *
   * @param lastSeconds the latest time at which a request of the predecessor can have arrived, in
   *     seconds since 1970 by the backend's clock; {@link Long#MIN_VALUE} without a take-over
   */
  public LastWriter takenOver(long lastSeconds) {
    return new LastWriter(
        other, other.isEmpty() && ownSeconds <= lastSeconds, podCidrs, ownSeconds);
  }
}
