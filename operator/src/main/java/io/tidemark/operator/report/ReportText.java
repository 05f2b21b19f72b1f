package io.tidemark.operator.report;

import io.tidemark.node.NodeReport;
import io.tidemark.program.console.TextTable;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reports for people. Pure. */
public final class ReportText {
  private ReportText() {}

  /** The result of a run. */
  public static String print(RunReport report) {
    return print(report, Map.of());
  }

  /** The states of nodes and their next steps. */
  public static String print(RunReport report, Map<String, String> plans) {
    StringBuilder text = new StringBuilder();
    if (!report.nodes().isEmpty()) {
      text.append(nodes(report.nodes()).text());
    }
    for (NodeReport node : report.nodes()) {
      node.blocked()
          .ifPresent(
              why ->
                  text.append(node.name())
                      .append(": ")
                      .append(why.reason().label())
                      .append(' ')
                      .append(why.reason())
                      .append(": ")
                      .append(why.detail())
                      .append(". ")
                      .append(why.reason().remedy())
                      .append('\n'));
    }
    plans.forEach((node, plan) -> text.append(node).append(": plan: ").append(plan).append('\n'));
    text.append(refused(report.refused()));
    text.append("calls: ").append(calls(report.calls())).append('\n');
    return text.toString();
  }

  /** The table of nodes. */
  public static TextTable nodes(List<NodeReport> nodes) {
    TextTable table =
        new TextTable(
            "NODE", "USED", "AVAILABLE", "NEEDED", "EXCESS", "INTERFACES", "STATE", "REASON");
    for (NodeReport node : nodes) {
      table.row(
          node.name(),
          node.used(),
          node.available(),
          node.needed(),
          node.excess(),
          node.interfaces(),
          node.state().text(),
          node.blocked().map(why -> why.reason().label()).orElse("-"));
    }
    return table;
  }

  /** One paragraph per problem; empty when there is none. */
  public static String refused(List<ResourceProblem> problems) {
    StringBuilder text = new StringBuilder();
    for (ResourceProblem each : problems) {
      text.append("refused: ").append(each.where()).append(": ");
      if (!each.path().isEmpty()) {
        text.append(each.path()).append(": ");
      }
      text.append(each.problem()).append(". ").append(each.remedy()).append('\n');
    }
    return text.toString();
  }

  private static String calls(Map<String, Long> calls) {
    return calls.isEmpty()
        ? "none"
        : calls.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
  }
}
