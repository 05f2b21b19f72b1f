package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.ClusterNode;

/**
 * One incarnation of a node. A node that is created again under the same name is another owner.
 *
 * @param uid what the API server gave it; the name where nothing gives uids
 */
public record NodeOwner(String name, String uid) {
  public static NodeOwner of(ClusterNode node) {
    return new NodeOwner(node.name(), node.owner());
  }
}
