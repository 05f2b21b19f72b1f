package io.tidemark.operator.report;

import io.tidemark.node.Explanation;
import io.tidemark.node.NodeReport;
import java.util.Objects;
import java.util.Optional;

/**
 * A node and the explanation of its state.
 *
 * @param explanation empty if its lane took no turn in time, or the node was deleted
 */
public record Explained(NodeReport report, Optional<Explanation> explanation) {
  public Explained {
    Objects.requireNonNull(report, "report");
    Objects.requireNonNull(explanation, "explanation");
  }
}
