package io.tidemark.nodeid.claim;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.SubnetPlan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** The next thing to do for the node of one name. All but {@link Rest} are one request. */
public sealed interface IdStep {
  /**
   * Change a claim; one that another writer has changed is read. {@code lost} is the id that the
   * node shows and whose claim is made again.
   */
  record ChangeClaim(
      String operation,
      String claim,
      Optional<NodeId> lost,
      Function<ClaimStore, ClaimChange> change)
      implements IdStep {}

  record ChangeNode(String operation, Function<ClusterNodeStore, NodeChange> change)
      implements IdStep {}

  /** Read a node that holds claims and is not known. */
  record ReadNode() implements IdStep {}

  /** Read by its name a claim that another writer changed. */
  record ReadClaim(String claim) implements IdStep {}

  /** Do nothing before something changes, or a time comes; the findings say what is wrong. */
  record Rest(OptionalLong untilNanos, List<NodeProblem> findings) implements IdStep {
    static final Rest QUIET = new Rest(OptionalLong.empty(), List.of());

    static Rest with(NodeProblem finding) {
      return new Rest(OptionalLong.empty(), List.of(finding));
    }
  }

  /** Claims an id for a node; {@code again} when it shows the id and its claim is lost. */
  static IdStep create(NodeId id, ClusterNode node, boolean again) {
    String claim = ClaimName.of(id);
    return new ChangeClaim(
        "createClaim",
        claim,
        Optional.of(id).filter(any -> again),
        claims -> claims.create(claim, node.name(), node.uid()));
  }

  /** Writes the node's uid into a claim that an earlier node of the name held. */
  static IdStep update(Claim claim, ClusterNode node) {
    return new ChangeClaim(
        "updateClaim",
        claim.name(),
        Optional.empty(),
        claims -> claims.update(claim, node.name(), node.uid()));
  }

  static IdStep delete(Claim claim) {
    return new ChangeClaim(
        "deleteClaim", claim.name(), Optional.empty(), claims -> claims.delete(claim));
  }

  static IdStep mirror(ClusterNode node, SubnetPlan plan) {
    return new ChangeNode("annotateNode", nodes -> nodes.annotate(node, NodeIdMirror.of(plan)));
  }

  static IdStep assignPodCidr(ClusterNode node, SubnetPlan plan) {
    return new ChangeNode(
        "assignPodCidrs",
        nodes -> nodes.assignPodCidrs(node.name(), node.uid(), List.of(plan.podSubnet())));
  }
}
