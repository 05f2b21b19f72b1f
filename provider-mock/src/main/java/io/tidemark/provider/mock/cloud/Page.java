package io.tidemark.provider.mock.cloud;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A part of a listing.
 *
 * @param next what to ask with for the following part; empty at the end
 */
public record Page<T>(List<T> items, Optional<String> next) {
  public Page {
    items = List.copyOf(items);
    Objects.requireNonNull(next, "next");
  }
}
