package io.tidemark.operator.view;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.metrics.Meters;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdLedger.IdCounts;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.nodeid.controller.IdNodeReport;
import io.tidemark.nodeid.controller.IdNodeReport.State;
import io.tidemark.nodeid.controller.NodeIdController;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import io.tidemark.operator.report.NodeRow.Problem;
import io.tidemark.resource.ResourceProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Nodes get their ids. Thread-safe. */
final class NodeIdWork extends NodesWork {
  private static final int PARALLEL_REQUESTS = 30;

  private final ClaimBackend backend;
  private final NodeIdController controller;
  private final NodeIdSubnets subnets;

  /** Puts it together; {@code changed} takes the name of each node whose state changed. */
  NodeIdWork(
      NodeIdConfig config,
      Meters metrics,
      Conditions conditions,
      ClaimBackend backend,
      RunThreads threads,
      Consumer<String> changed) {
    super(conditions, Objects.of(backend, threads), threads);
    this.backend = backend;
    this.subnets = new NodeIdSubnets(config.ranges());
    this.controller =
        new NodeIdController(
            new IdLedger(
                subnets, config.assignment().cooldown(), config.assignment().writesPodCidr()),
            PARALLEL_REQUESTS,
            conditions.requestBound(),
            new ControllerParts(
                nodes,
                events(EventWording.USUAL),
                metrics,
                effects,
                threads.lanes(),
                scheduler,
                fence(),
                conditions.random()),
            backend.claims());
    backend.leaderNotes().ifPresent(notes -> notes.writeFrom(controller::notes));
    controller.onChange(changed);
  }

  @Override
  CompletionStage<Boolean> begin() {
    return controller.start(
        IdNotes.read(backend.leaderNotes().map(LeaderNotes::inherited).orElseGet(Map::of)));
  }

  /** A node without an id waits for those that cool, with a claim or after it. */
  @Override
  boolean isDone() {
    if (!controller.isSettled()) {
      return false;
    }
    IdCounts ids = controller.ids();
    return (ids.cooling() == 0 && ids.free() == 0)
        || controller.nodes().stream()
            .flatMap(node -> node.findings().stream())
            .noneMatch(each -> each.code() == NodeIdError.NODE_ID_EXHAUSTED);
  }

  @Override
  List<NodeRow> rows() {
    return controller.nodes().stream().map(this::row).toList();
  }

  @Override
  Optional<NodeRow> row(String name) {
    return controller.report(name).map(this::row);
  }

  @Override
  Optional<NodeExplanation> explain(String name) {
    return controller.report(name).map(this::explanation);
  }

  /** How a node is shown. */
  private NodeRow row(IdNodeReport node) {
    return new NodeRow(
        node.node(),
        List.of(
            new Column("id", node.id().<Object>map(NodeId::number)),
            new Column("podSubnet", plan(node).<Object>map(it -> it.podSubnet().toString()))),
        List.of(),
        node.state().label(),
        node.state() == State.ASSIGNED,
        node.id().isEmpty() ? 1 : 0,
        node.findings().stream().findFirst().map(NodeIdWork::problem));
  }

  private NodeExplanation explanation(IdNodeReport node) {
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
        node.findings().stream().map(NodeIdWork::problem).toList());
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

  /** Claims that stand for no id, or name no node. */
  @Override
  public List<ResourceProblem> problems() {
    return new TreeMap<>(controller.oddClaims())
        .entrySet().stream()
            .map(
                claim ->
                    new ResourceProblem(
                        "claim " + claim.getKey(),
                        "",
                        claim.getValue(),
                        "Delete the claim, or give it the name and holder that it should have."))
            .toList();
  }

  @Override
  CompletionStage<List<String>> end() {
    return controller
        .stop()
        .thenApply(unknown -> unknown.stream().map(name -> "node id of node " + name).toList());
  }
}
