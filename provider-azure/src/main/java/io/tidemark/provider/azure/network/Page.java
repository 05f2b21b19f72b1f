package io.tidemark.provider.azure.network;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * One page of a list.
 *
 * @param next where the next page is; empty at the end
 */
public record Page<T>(List<T> items, Optional<URI> next) {
  public Page {
    items = List.copyOf(items);
  }
}
