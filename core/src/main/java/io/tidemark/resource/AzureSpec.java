package io.tidemark.resource;

import java.util.Optional;

/**
 * The wire form of {@code spec.azure}, which the agent and people write.
 *
 * @param interfaceName the name of the network interface that gets the pods' addresses; empty for
 *     any
 * @param disablePrefixDelegation whether the node gets single addresses only; absent where the
 *     CustomResourceDefinition does not keep the field
 */
public record AzureSpec(String interfaceName, Optional<Boolean> disablePrefixDelegation) {
  /** A section without content. */
  public static final AzureSpec EMPTY = new AzureSpec("", Optional.empty());
}
