package io.tidemark.operator.nodeid;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.plan.NodeIdCheck;
import io.tidemark.nodeid.plan.NodeIdCheck.Planned;
import io.tidemark.operator.report.ReportText;
import io.tidemark.program.console.TextTable;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/** The check of nodes that exist, for people. Stateless. */
final class NodeIdCheckText {
  private static final String NONE = "-";

  private NodeIdCheckText() {}

  /** The consequences of the ids, how many nodes have one, and what does not fit. */
  static String print(NodeIdCheck check) {
    StringBuilder text = new StringBuilder();
    if (!check.plans().isEmpty()) {
      text.append(plans(check).text()).append('\n');
    }
    text.append(nodes(check.nodes())).append(" in the dump, ").append(check.without());
    text.append(check.without() == 1 ? " has" : " have").append(" no id\n");
    Set<ErrorCode> codes = new TreeSet<>(Comparator.comparing(ErrorCode::number));
    if (check.lacking() > 0) {
      text.append(nodes(check.lacking()));
      text.append(check.lacking() == 1 ? " gets" : " get").append(" none: too few are left\n");
      codes.add(NodeIdError.NODE_ID_EXHAUSTED);
    }
    if (!check.findings().isEmpty()) {
      text.append('\n').append(findings(check).text());
    }
    check.findings().forEach(each -> codes.add(each.problem().code()));
    return text.append(ReportText.remedies(codes)).toString();
  }

  private static String nodes(long count) {
    return count + (count == 1 ? " node" : " nodes");
  }

  private static TextTable plans(NodeIdCheck check) {
    TextTable table =
        new TextTable("NODE", "ID", "POD SUBNET", "LINK SUBNET", "NODE ADDRESS", "OVERLAY ADDRESS");
    for (Planned each : check.plans()) {
      table.row(
          each.node(),
          each.plan().id(),
          each.plan().podSubnet(),
          each.plan().linkSubnet(),
          each.plan().nodeAddress().map(InterfaceAddress::toString).orElse(NONE),
          each.plan().overlayAddress());
    }
    return table;
  }

  private static TextTable findings(NodeIdCheck check) {
    TextTable table = new TextTable("NODE", "VALUE", "CODE", "PROBLEM");
    for (NodeProblem.At each : check.findings()) {
      table.row(
          each.node(),
          each.problem().value().isEmpty() ? NONE : each.problem().value(),
          each.problem().code().label(),
          each.problem().detail());
    }
    return table;
  }
}
