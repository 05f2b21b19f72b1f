package io.tidemark.resource;

import java.util.Objects;
import java.util.Optional;

/**
 * Who wrote the operator's part of an object: {@code spec.ipam.pool} and the clouds' sections of
 * the status.
 *
 * @param other the field manager of another program that wrote it at the time of our last write or
 *     later; empty if there is none
 * @param predecessor whether there is no such program and all writes under our own name may have
 *     been sent by our predecessor: they arrived before we took over or, by the backend's clock,
 *     shortly after. Our own writes of that time look the same, so the value is meaningful only
 *     until we have written the object. Always false without a take-over
 */
public record LastWriter(Optional<String> other, boolean predecessor) {
  /** The backend does not record writers. */
  public static final LastWriter UNKNOWN = new LastWriter(Optional.empty(), false);

  public LastWriter {
    Objects.requireNonNull(other, "other");
  }
}
