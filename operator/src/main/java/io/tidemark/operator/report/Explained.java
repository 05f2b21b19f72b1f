package io.tidemark.operator.report;

import io.tidemark.node.Explanation;
import io.tidemark.node.NodeReport;
import java.util.Objects;
import java.util.Optional;

/**
 * A node with why it stands as it does.
 *
 * @param explanation empty when its lane took no turn in time, or it is gone meanwhile
 */
public record Explained(NodeReport report, Optional<Explanation> explanation) {
  public Explained {
    Objects.requireNonNull(report, "report");
    Objects.requireNonNull(explanation, "explanation");
  }
}
