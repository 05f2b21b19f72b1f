package io.tidemark.provider.azure.ipam;

import io.tidemark.resource.NodeResource;
import java.util.Optional;

/**
 * The section {@code spec.azure}, which the agent and people write.
 *
 * @param interfaceName the name of the network interface that gets the pods' addresses; empty for
 *     any
 * @param disablePrefixDelegation whether the node gets single addresses only; absent where the
 *     CustomResourceDefinition does not keep the field
 */
record AzureSpec(String interfaceName, Optional<Boolean> disablePrefixDelegation) {
  /** The name of the section, in spec and in status. */
  static final String SECTION = "azure";

  /** A section without content. */
  static final AzureSpec EMPTY = new AzureSpec("", Optional.empty());

  /** The section of a node; {@link #EMPTY} when it has none. */
  static AzureSpec of(NodeResource resource) {
    return resource.specSection(SECTION).map(AzureSpecJson::read).orElse(EMPTY);
  }
}
