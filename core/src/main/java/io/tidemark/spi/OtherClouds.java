package io.tidemark.spi;

import io.tidemark.resource.NodeResource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Nodes that belong to another cloud's provider (node-manager 0 N12). Pure. */
public final class OtherClouds {
  private OtherClouds() {}

  /**
   * The reason not to touch the node.
   *
   * @param section the caller's own section of the resource, by its name
   */
  public static Optional<Blocked> blocked(NodeResource resource, String section) {
    Set<String> sections = resource.cloudSections();
    if (sections.isEmpty() || (sections.size() == 1 && sections.contains(section))) {
      return Optional.empty();
    }
    TreeSet<String> others = new TreeSet<>(sections);
    others.remove(section);
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Blocked(
                BlockedReason.OTHER_CLOUD,
                "the node has a section of " + String.join(", ", others)));
  }
}
