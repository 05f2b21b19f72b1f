package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.ClusterNode;

/**
 * One incarnation of a node: one that is created again under the same name is another owner. The
 * uid is that of the API server; the name where nothing gives uids.
 */
public record NodeOwner(String name, String uid) {
  public static NodeOwner of(ClusterNode node) {
    return new NodeOwner(node.name(), node.owner());
  }
}
