package io.tidemark.spi;

import java.util.Objects;

/**
 * The operator's settings for every node, with the node's name.
 *
 * @param prefixDelegation use blocks if the instance supports them
 * @param releaseExcess release surplus
 * @param referenceCompatible reproduce the reference's formulas (node-manager 13 D-21)
 */
public record NodeSettings(
    String name, boolean prefixDelegation, boolean releaseExcess, boolean referenceCompatible) {
  public NodeSettings {
    Objects.requireNonNull(name, "name");
  }
}
