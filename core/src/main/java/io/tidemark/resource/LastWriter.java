package io.tidemark.resource;

import java.util.Objects;
import java.util.Optional;

/**
 * Who wrote the operator's part of an object: {@code spec.ipam.pool} and the clouds' sections of
 * the status.
 *
 * @param other who else wrote it, not before we did, by the name that the home knows writers by;
 *     empty when nobody did
 * @param predecessor whether nobody else did and every write under our own name is from before our
 *     turn began, by the home's clock, so that it is our predecessor's however late it shows up
 */
public record LastWriter(Optional<String> other, boolean predecessor) {
  /** The home records no writers. */
  public static final LastWriter UNKNOWN = new LastWriter(Optional.empty(), false);

  public LastWriter {
    Objects.requireNonNull(other, "other");
  }
}
