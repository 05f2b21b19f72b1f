package io.tidemark.operator.report;

import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The states of an operator's nodes, as text. Stateless. */
public final class StatusText {
  private StatusText() {}

  /** Sums, the table of nodes, handshakes under way, then who waits, for what, and what to do. */
  public static String print(
      StatusSummary summary, List<Explained> nodes, List<ResourceProblem> refused) {
    StringBuilder text = new StringBuilder();
    text.append(summary.nodes()).append(" nodes");
    text.append(summary.states().isEmpty() ? "" : ": " + joined(summary.states())).append("\n");
    if (!nodes.isEmpty()) {
      List<NodeRow> rows = nodes.stream().map(Explained::row).toList();
      text.append('\n').append(ReportText.nodes(rows).text()).append('\n');
    }
    nodes.forEach(each -> handshakes(text, each));
    nodes.forEach(each -> ReportText.problem(text, each.row()));
    return text.append(ReportText.refused(refused)).toString();
  }

  private static void handshakes(StringBuilder text, Explained node) {
    node.explanation()
        .map(NodeExplanation::handshakes)
        .filter(phases -> !phases.isEmpty())
        .ifPresent(
            phases ->
                text.append(node.row().name())
                    .append(": release handshakes under way: ")
                    .append(joined(phases))
                    .append('\n'));
  }

  private static String joined(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
