package io.tidemark.nodeid.plan;

import io.tidemark.cluster.ClusterNode;
import java.util.List;
import java.util.Optional;

/** A node that exists, and its addresses of type {@code InternalIP} as written. */
public record ExistingNode(ClusterNode node, List<String> internalIps) {
  String name() {
    return node.name();
  }

  Optional<String> annotation(String name) {
    return Optional.ofNullable(node.annotations().get(name));
  }
}
