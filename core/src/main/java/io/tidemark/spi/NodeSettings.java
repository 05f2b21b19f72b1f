package io.tidemark.spi;

import java.util.Objects;

/**
 * What the operator decided for every node, with the node's name.
 *
 * @param prefixDelegation blocks are wanted where the instance can
 * @param releaseExcess surplus is given back
 * @param referenceCompatible reproduce the reference's formulas (node-manager 13 D-21)
 */
public record NodeSettings(
    String name, boolean prefixDelegation, boolean releaseExcess, boolean referenceCompatible) {
  public NodeSettings {
    Objects.requireNonNull(name, "name");
  }
}
