package io.tidemark.operator.report;

import io.tidemark.program.console.TextTable;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.Blocked;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
      text.append('\n').append(table(nodes).text());
    }
    text.append("\nrelease handshakes under way: ").append(handshakes(nodes)).append('\n');
    nodes.forEach(each -> each.report().blocked().ifPresent(why -> blocked(text, each, why)));
    return text.append(ReportText.refused(refused)).toString();
  }

  private static TextTable table(List<Explained> nodes) {
    TextTable table =
        new TextTable("NODE", "POOL", "USED", "NEEDED", "EXCESS", "STATE", "REASON", "HANDSHAKES");
    for (Explained each : nodes) {
      table.row(
          each.report().name(),
          each.report().available(),
          each.report().used(),
          each.report().needed(),
          each.report().excess(),
          each.report().state().text(),
          each.report().blocked().map(why -> why.reason().label()).orElse("-"),
          each.explanation()
              .map(explained -> explained.handshakes())
              .filter(phases -> !phases.isEmpty())
              .map(StatusText::joined)
              .orElse("-"));
    }
    return table;
  }

  private static String handshakes(List<Explained> nodes) {
    Map<String, Integer> sums = new TreeMap<>();
    for (Explained each : nodes) {
      each.explanation()
          .ifPresent(
              explained ->
                  explained
                      .handshakes()
                      .forEach((phase, count) -> sums.merge(phase, count, Integer::sum)));
    }
    return sums.isEmpty() ? "none" : joined(sums);
  }

  private static void blocked(StringBuilder text, Explained node, Blocked why) {
    text.append(node.report().name()).append(": ");
    text.append(why.reason().label()).append(' ').append(why.reason()).append(": ");
    text.append(why.detail()).append(". ").append(why.reason().remedy()).append('\n');
  }

  private static String joined(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
