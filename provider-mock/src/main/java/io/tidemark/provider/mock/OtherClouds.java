package io.tidemark.provider.mock;

import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Nodes that belong to another cloud's provider (node-manager 0 N12). Pure. */
final class OtherClouds {
  static final String SECTION = "eni";
  private static final Set<String> OURS = Set.of(SECTION);

  private OtherClouds() {}

  /** The reason not to touch the node. */
  static Optional<Blocked> blocked(NodeResource resource) {
    Set<String> sections = resource.cloudSections();
    if (sections.isEmpty() || sections.equals(OURS)) {
      return Optional.empty();
    }
    TreeSet<String> others = new TreeSet<>(sections);
    others.remove(SECTION);
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Blocked(
                BlockedReason.OTHER_CLOUD,
                "the node has a section of " + String.join(", ", others)));
  }
}
