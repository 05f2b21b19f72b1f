package io.tidemark.resource;

import java.util.Objects;
import java.util.Optional;

/**
 * What the home records of writes to the operator's part of one version of an object.
 *
 * @param other who beside us wrote it last, not before we did; empty when nobody did
 * @param ownSeconds when we, or another program of our name, last wrote anything, in seconds since
 *     1970 by the home's clock; {@link #NEVER} when that was never
 */
public record OperatorWrites(Optional<String> other, long ownSeconds) {
  /** Stands for no write. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Nothing is recorded. */
  public static final OperatorWrites NONE = new OperatorWrites(Optional.empty(), NEVER);

  public OperatorWrites {
    Objects.requireNonNull(other, "other");
  }

  /**
   * The same for one that took over from a predecessor of its name. Times are whole seconds, and a
   * write of the very last second counts as the predecessor's.
   *
   * @param lastSeconds when a request that the predecessor sent may have arrived at the latest, in
   *     seconds since 1970 by the home's clock; {@link Long#MIN_VALUE} without a take-over
   */
  public LastWriter takenOver(long lastSeconds) {
    return new LastWriter(other, other.isEmpty() && ownSeconds <= lastSeconds);
  }
}
