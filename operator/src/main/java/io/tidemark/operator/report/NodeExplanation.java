package io.tidemark.operator.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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

  /**
   * Of a node of a system without pools of addresses.
   *
   * @param problems all that stands in the way, the first counts
   */
  public static NodeExplanation of(
      String node,
      String state,
      Map<String, String> numbers,
      String plan,
      List<NodeRow.Problem> problems) {
    String advice = problems.stream().findFirst().map(why -> why.code().remedy()).orElse("");
    StringBuilder text = new StringBuilder();
    text.append("node ").append(node).append(" is ").append(state).append('\n');
    numbers.forEach(
        (key, value) -> text.append("  ").append(key).append(": ").append(value).append('\n'));
    text.append("plan: ").append(plan).append('\n');
    problems.forEach(why -> text.append("blocked: ").append(why.text()).append('\n'));
    text.append("what you can do: ").append(advice.isEmpty() ? "nothing is wrong" : advice);
    return new NodeExplanation(
        node,
        state,
        numbers,
        Map.of(),
        plan,
        problems.stream().findFirst(),
        advice,
        text.append('\n').toString());
  }
}
