package io.tidemark.nodeid.claim;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.SubnetPlan;
import java.util.List;
import java.util.OptionalLong;

/** The next thing to do for the node of one name. All but {@link Rest} are one request. */
public sealed interface IdStep {
  /**
   * Claim an id for the node. A claim that is there already is read.
   *
   * @param again whether the node shows the id and its claim is lost
   */
  record Create(NodeId id, ClusterNode node, boolean again) implements IdStep {}

  /** Write the node's uid into a claim that an earlier node of the name held. */
  record Update(Claim claim, ClusterNode node) implements IdStep {}

  record Mirror(ClusterNode node, SubnetPlan plan) implements IdStep {}

  record AssignPodCidr(ClusterNode node, SubnetPlan plan) implements IdStep {}

  /** Read by its name a node that holds claims and is not known. */
  record ReadNode(String name) implements IdStep {}

  /** Read by its name a claim that another writer changed. */
  record ReadClaim(String claim) implements IdStep {}

  record Delete(Claim claim) implements IdStep {}

  /**
   * Do nothing before something changes.
   *
   * @param untilNanos when there may be something to do even if nothing changes
   * @param findings what is wrong
   */
  record Rest(OptionalLong untilNanos, List<NodeProblem> findings) implements IdStep {
    static final Rest QUIET = new Rest(OptionalLong.empty(), List.of());

    static Rest with(NodeProblem finding) {
      return new Rest(OptionalLong.empty(), List.of(finding));
    }
  }
}
