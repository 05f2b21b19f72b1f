package io.tidemark.operator.view;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.controller.IdNodeReport;
import io.tidemark.nodeid.controller.IdNodeReport.State;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import io.tidemark.operator.report.NodeRow.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a node with an id is shown.
 *
 * @param subnets what follows from ids
 */
record NodeIdRows(NodeIdSubnets subnets) {
  NodeRow row(IdNodeReport node) {
    return new NodeRow(
        node.node(),
        List.of(
            new Column("id", node.id().<Object>map(NodeId::number)),
            new Column("podSubnet", plan(node).<Object>map(it -> it.podSubnet().toString()))),
        List.of(),
        node.state().label(),
        node.state() == State.ASSIGNED,
        node.id().isEmpty() ? 1 : 0,
        node.findings().stream().findFirst().map(NodeIdRows::problem));
  }

  NodeExplanation explanation(IdNodeReport node) {
    Map<String, String> numbers = new LinkedHashMap<>();
    row(node).columns().forEach(column -> numbers.put(column.key(), column.text()));
    plan(node)
        .ifPresent(
            it -> {
              numbers.put("gateway", it.gateway().toString());
              numbers.put("linkSubnet", it.linkSubnet().toString());
              it.nodeAddress().ifPresent(own -> numbers.put("nodeAddress", own.toString()));
              numbers.put("overlayAddress", it.overlayAddress().toString());
            });
    return NodeExplanation.of(
        node.node(),
        node.state().label(),
        numbers,
        next(node),
        node.findings().stream().map(NodeIdRows::problem).toList());
  }

  private static String next(IdNodeReport node) {
    return switch (node.state()) {
      case ASSIGNED, CONFLICT -> "idle: nothing to do";
      case PARKED -> "none: " + node.findings().get(0).detail();
      case WAITING ->
          node.id()
              .map(id -> "write what follows from id " + id)
              .or(() -> node.next().map(id -> "claim id " + id))
              .orElse("none before claims that are lost are made again, or while it is deleted");
    };
  }

  /** Empty for an id that the ranges do not serve. */
  private Optional<SubnetPlan> plan(IdNodeReport node) {
    return node.id().filter(id -> id.number() <= subnets.capacity().ids()).map(subnets::plan);
  }

  private static Problem problem(NodeProblem finding) {
    return new Problem(finding.code(), finding.detail(), true);
  }
}
