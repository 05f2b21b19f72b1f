package io.tidemark.nodeid.claim;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import java.util.Optional;

/** Whether what the agent of a node knows of its id agrees: its memory, the Node, the claim. */
public sealed interface IdAgreement {
  record Agreed(NodeId id) implements IdAgreement {}

  /** The agent gives out no address; the code says whether to wait or to have a person mend it. */
  record Withheld(NodeIdError code, String detail) implements IdAgreement {}

  /** Compares the id that the agent has used, its Node, and the claim of the id that it shows. */
  static IdAgreement of(Optional<NodeId> memory, ClusterNode node, Optional<Claim> claim) {
    Optional<NodeId> shown = NodeIdMirror.id(node);
    if (shown.isEmpty()) {
      return memory
          .<IdAgreement>map(
              id -> conflict("node " + node.name() + " uses id " + id + " and shows none"))
          .orElseGet(() -> awaiting("node " + node.name() + " shows no id yet"));
    }
    NodeId id = shown.get();
    if (memory.isPresent() && !memory.get().equals(id)) {
      return conflict("node " + node.name() + " uses id " + memory.get() + " and shows " + id);
    }
    return ofClaim(id, node, claim);
  }

  /** Compares the id that the agent has claimed itself, where no operator shows ids. */
  static IdAgreement ofClaim(NodeId id, ClusterNode node, Optional<Claim> claim) {
    if (claim.isEmpty()) {
      return awaiting("id " + id + " of node " + node.name() + " has no claim");
    }
    Claim found = claim.get();
    if (!found.holder().equals(node.name())) {
      return conflict(
          "id " + id + " of node " + node.name() + " is claimed by node " + found.holder());
    }
    return found.holderUid().equals(node.uid())
        ? new Agreed(id)
        : awaiting("the claim of id " + id + " is that of an earlier node " + node.name());
  }

  private static IdAgreement awaiting(String detail) {
    return new Withheld(NodeIdError.AWAITING_POD_CIDR, detail);
  }

  private static IdAgreement conflict(String detail) {
    return new Withheld(NodeIdError.NODE_ID_CONFLICT, detail);
  }
}
