package io.tidemark.provider.mock;

import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.Optional;
import java.util.TreeSet;

/** Nodes that belong to another cloud's provider (node-manager 0 N12). Pure. */
final class OtherClouds {
  static final String SECTION = "eni";

  private OtherClouds() {}

  /** The reason not to touch the node. */
  static Optional<Blocked> blocked(NodeResource resource) {
    TreeSet<String> others = new TreeSet<>(resource.cloudSections());
    others.remove(SECTION);
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Blocked(
                BlockedReason.OTHER_CLOUD,
                "the node has a section of " + String.join(", ", others)));
  }
}
