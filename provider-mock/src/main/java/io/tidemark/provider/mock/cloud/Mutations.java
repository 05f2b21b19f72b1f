package io.tidemark.provider.mock.cloud;

import java.util.List;

/**
 * What changed since the last look.
 *
 * @param list oldest first
 * @param complete false when more happened than is remembered; look at everything then
 */
public record Mutations(List<Mutation> list, boolean complete) {
  public Mutations {
    list = List.copyOf(list);
  }
}
