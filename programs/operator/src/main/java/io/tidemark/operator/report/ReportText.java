package io.tidemark.operator.report;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.error.ErrorCode;
import io.tidemark.program.console.TextTable;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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
    report.nodes().forEach(node -> problem(text, node));
    plans.forEach((node, plan) -> text.append(node).append(": plan: ").append(plan).append('\n'));
    text.append(refused(report.refused()));
    text.append("calls: ").append(calls(report.calls())).append('\n');
    return text.toString();
  }

  /** The table of nodes, of which there is one at least. */
  public static TextTable nodes(List<NodeRow> nodes) {
    List<String> headings = new ArrayList<>(List.of("NODE"));
    nodes.stream()
        .limit(1)
        .flatMap(node -> node.columns().stream())
        .forEach(column -> headings.add(column.key().toUpperCase(Locale.ROOT)));
    headings.addAll(List.of("STATE", "REASON"));
    TextTable table = new TextTable(headings.toArray(String[]::new));
    for (NodeRow node : nodes) {
      List<Object> row = new ArrayList<>(List.of(node.name()));
      node.columns().forEach(column -> row.add(column.text()));
      row.addAll(List.of(node.state(), node.reason()));
      table.row(row.toArray());
    }
    return table;
  }

  /** A line about what stands in the way of a node, if anything does. */
  static void problem(StringBuilder text, NodeRow node) {
    node.problem()
        .ifPresent(
            why ->
                text.append(node.name())
                    .append(": ")
                    .append(why.text())
                    .append(". ")
                    .append(why.code().remedy())
                    .append('\n'));
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

  /** The remedies: a line for each code, after an empty one; empty without codes. */
  public static String remedies(Set<? extends ErrorCode> codes) {
    return codes.stream()
        .map(code -> code.label() + " " + code.name() + ": " + code.remedy() + "\n")
        .collect(Collectors.joining("", codes.isEmpty() ? "" : "\n", ""));
  }

  /** A table of what is wrong with nodes. */
  public static TextTable findings(List<NodeProblem.At> findings) {
    TextTable table = new TextTable("NODE", "VALUE", "CODE", "PROBLEM");
    for (NodeProblem.At each : findings) {
      String value = each.problem().value();
      table.row(
          each.node(),
          value.isEmpty() ? "-" : value,
          each.problem().code().label(),
          each.problem().detail());
    }
    return table;
  }

  /** The codes of findings, to which others can be added. */
  public static SortedSet<ErrorCode> codes(List<NodeProblem.At> findings) {
    SortedSet<ErrorCode> codes = new TreeSet<>(Comparator.comparing(ErrorCode::number));
    findings.forEach(each -> codes.add(each.problem().code()));
    return codes;
  }

  /** So many nodes, in words. */
  public static String count(long nodes) {
    return nodes + (nodes == 1 ? " node" : " nodes");
  }

  private static String calls(Map<String, Long> calls) {
    return calls.isEmpty()
        ? "none"
        : calls.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
  }
}
