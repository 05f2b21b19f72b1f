package io.tidemark.provider.azure.network;

import java.util.Optional;
import java.util.Set;

/**
 * The resources that an interface and its configurations name: the body of a write of it names the
 * same.
 *
 * @param machine that it is attached to
 * @param linked resources of the types of {@link LinkedType}
 */
public record InterfaceLinks(ResourceId id, Optional<ResourceId> machine, Set<ResourceId> linked) {
  public InterfaceLinks {
    linked = Set.copyOf(linked);
  }
}
