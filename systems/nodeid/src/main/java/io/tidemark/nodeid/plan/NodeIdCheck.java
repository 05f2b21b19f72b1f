package io.tidemark.nodeid.plan;

import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import java.util.List;

/**
 * Whether nodes that exist fit the settings.
 *
 * @param nodes how many there are
 * @param plans what follows from the ids of nodes that the ranges serve, in the order of the nodes
 * @param without how many nodes have no id
 * @param lacking how many of these get none, since too few ids are left
 * @param findings what does not fit, by name of the node
 */
public record NodeIdCheck(
    int nodes, List<Planned> plans, long without, long lacking, List<NodeIdFinding> findings) {
  /** The plan that follows from the id of a node. */
  public record Planned(String node, SubnetPlan plan) {}

  public NodeIdCheck {
    plans = List.copyOf(plans);
    findings = List.copyOf(findings);
  }

  /** Checks these nodes, which have unique names. */
  public static NodeIdCheck of(NodeIdSubnets subnets, List<ExistingNode> nodes) {
    return new NodeIdReview(subnets).check(nodes);
  }

  /** Whether something needs human action. */
  public boolean needsAttention() {
    return lacking > 0 || !findings.isEmpty();
  }
}
