package io.tidemark.resource;

import java.util.Objects;
import java.util.Optional;

/**
 * Who wrote the operator's part of an object: {@code spec.ipam.pool} and the clouds' sections of
 * the status.
 *
 * @param other who else wrote it, not before we did, by the name that the home knows writers by;
 *     empty when nobody did
 * @param predecessor whether nobody else did and every write under our own name arrived before our
 *     turn began, or so soon after it, by the home's clock, that our predecessor may have sent it
 *     before. Our own writes of that time look the same: it says something only until we have
 *     written the object. Never true where there was no take-over
 */
public record LastWriter(Optional<String> other, boolean predecessor) {
  /** The home records no writers. */
  public static final LastWriter UNKNOWN = new LastWriter(Optional.empty(), false);

  public LastWriter {
    Objects.requireNonNull(other, "other");
  }
}
