package io.tidemark.operator.view;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import io.tidemark.operator.report.NodeRow.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How a node with pod CIDRs is shown. */
final class NodeCidrRows {
  private NodeCidrRows() {}

  static NodeRow row(CidrNodeReport node) {
    boolean lacks = node.state() == State.WAITING || node.state() == State.PARKED;
    return new NodeRow(
        node.node().name(),
        List.of(Column.of("podCIDRs", lacks ? List.of() : texts(node.cidrs()))),
        List.of(),
        node.state().label(),
        node.state() == State.ASSIGNED,
        lacks ? 1 : 0,
        node.matter().map(NodeCidrRows::problem));
  }

  static NodeExplanation explanation(CidrNodeReport node) {
    Map<String, String> numbers = new LinkedHashMap<>();
    numbers.put("uid", node.node().uid());
    numbers.put("podCIDRs", row(node).columns().get(0).text());
    return NodeExplanation.of(
        node.node().name(),
        node.state().label(),
        numbers,
        plan(node),
        node.matters().stream().map(NodeCidrRows::problem).toList());
  }

  private static String plan(CidrNodeReport node) {
    return switch (node.state()) {
      case WAITING -> "assign " + String.join(", ", texts(node.cidrs()));
      case PARKED ->
          "none: "
              + node.matter().map(NodeProblem::detail).orElse("nothing is to be assigned to it");
      case ASSIGNED, CONFLICT, FOREIGN -> "idle: nothing to do";
    };
  }

  private static List<String> texts(List<Cidr> cidrs) {
    return cidrs.stream().map(Cidr::toString).toList();
  }

  private static Problem problem(NodeProblem matter) {
    return new Problem(matter.code(), matter.detail(), true);
  }
}
