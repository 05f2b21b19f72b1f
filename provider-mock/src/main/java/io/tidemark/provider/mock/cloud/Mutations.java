package io.tidemark.provider.mock.cloud;

import java.util.List;

/**
 * The changes since the last read.
 *
 * @param list oldest first
 * @param complete false if some changes were dropped; then read everything
 */
public record Mutations(List<Mutation> list, boolean complete) {
  public Mutations {
    list = List.copyOf(list);
  }
}
