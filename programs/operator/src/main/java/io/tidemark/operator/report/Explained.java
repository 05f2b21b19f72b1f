package io.tidemark.operator.report;

import java.util.Optional;

/**
 * A node and the explanation of its state.
 *
 * @param explanation empty if its lane took no turn in time, or the node was deleted
 */
public record Explained(NodeRow row, Optional<NodeExplanation> explanation) {}
