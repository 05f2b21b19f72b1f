package io.tidemark.operator.report;

import java.util.List;
import java.util.Map;
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
    StringBuilder lines = new StringBuilder();
    numbers.forEach(
        (key, value) -> lines.append("  ").append(key).append(": ").append(value).append('\n'));
    String advice = problems.stream().findFirst().map(why -> why.code().remedy()).orElse("");
    return new NodeExplanation(
        node,
        state,
        numbers,
        Map.of(),
        plan,
        problems.stream().findFirst(),
        advice,
        text(node, state, lines, plan, problems, advice));
  }

  /** Of a node that another process explained; the text is as the engine has it. */
  public static NodeExplanation published(
      NodeRow row,
      Map<String, String> numbers,
      Map<String, Integer> handshakes,
      String plan,
      String advice) {
    int width = numbers.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder lines = new StringBuilder();
    numbers.forEach(
        (key, value) ->
            lines
                .append("  ")
                .append(key)
                .append(" ".repeat(width - key.length() + 2))
                .append(value)
                .append('\n'));
    if (!handshakes.isEmpty()) {
      lines.append("  release handshake: ").append(handshakes).append('\n');
    }
    return new NodeExplanation(
        row.name(),
        row.state(),
        numbers,
        handshakes,
        plan,
        row.problem(),
        advice,
        text(row.name(), row.state(), lines, plan, row.problem().stream().toList(), advice));
  }

  private static String text(
      String node,
      String state,
      CharSequence lines,
      String plan,
      List<NodeRow.Problem> problems,
      String advice) {
    StringBuilder text = new StringBuilder();
    text.append("node ").append(node).append(" is ").append(state).append('\n').append(lines);
    text.append("plan: ").append(plan).append('\n');
    problems.forEach(
        why -> text.append(why.stops() ? "blocked: " : "open: ").append(why.text()).append('\n'));
    text.append("what you can do: ").append(advice.isEmpty() ? "nothing is wrong" : advice);
    return text.append('\n').toString();
  }
}
