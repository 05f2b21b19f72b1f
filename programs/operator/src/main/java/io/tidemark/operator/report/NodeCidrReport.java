package io.tidemark.operator.report;

import io.tidemark.nodecidr.plan.CapacityPlan;
import io.tidemark.nodecidr.plan.NodePlan;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Optional;

/**
 * The result of {@code node-cidr plan}.
 *
 * @param nodes the plan for nodes that exist; empty when none were given
 * @param refused objects and files that cannot be read
 * @param notes settings to check, a sentence each without a full stop
 */
public record NodeCidrReport(
    CapacityPlan capacity,
    Optional<NodePlan> nodes,
    List<ResourceProblem> refused,
    List<String> notes) {
  /** Whether something needs human action. */
  public boolean needsAttention() {
    return capacity.lacking().isPresent()
        || !refused.isEmpty()
        || nodes.filter(NodePlan::needsAttention).isPresent();
  }
}
