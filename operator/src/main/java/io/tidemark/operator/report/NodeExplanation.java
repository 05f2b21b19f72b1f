package io.tidemark.operator.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a node has what it has, whatever the system does for it.
 *
 * @param numbers name to value, in reading order
 * @param handshakes number of addresses by phase of their release
 * @param plan what would be done next
 * @param problem what stands in the way
 * @param advice what a person can do; empty text when there is nothing
 * @param text all of it, for a terminal
 */
public record NodeExplanation(
    String node,
    String state,
    Map<String, String> numbers,
    Map<String, Integer> handshakes,
    String plan,
    Optional<NodeRow.Problem> problem,
    String advice,
    String text) {
  public NodeExplanation {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(state, "state");
    numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    handshakes = Collections.unmodifiableMap(new LinkedHashMap<>(handshakes));
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(advice, "advice");
    Objects.requireNonNull(text, "text");
  }
}
