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
   * The same for one whose turn began then. Times are whole seconds, and a write of the very second
   * counts as the predecessor's: a program that goes on writing is noticed by its next write.
   *
   * @param turnSeconds in seconds since 1970 by the home's clock
   */
  public LastWriter since(long turnSeconds) {
    return new LastWriter(other, other.isEmpty() && ownSeconds <= turnSeconds);
  }
}
