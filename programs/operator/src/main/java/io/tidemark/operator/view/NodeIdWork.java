package io.tidemark.operator.view;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.metrics.Meters;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.nodeid.controller.NodeIdController;
import io.tidemark.nodeid.controller.NodeIdSettings;
import io.tidemark.nodeid.controller.NodeIdStatus;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.resource.ResourceProblem;
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
  private final NodeIdRows rows;

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
    NodeIdSubnets subnets = new NodeIdSubnets(config.ranges());
    this.rows = new NodeIdRows(subnets);
    this.controller =
        new NodeIdController(
            new NodeIdSettings(
                subnets,
                config.assignment().cooldown(),
                config.assignment().writesPodCidr(),
                PARALLEL_REQUESTS,
                conditions.requestBound()),
            new ControllerParts(
                nodes(),
                events(EventWording.USUAL),
                metrics,
                effects(),
                threads.lanes(),
                scheduler(),
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
    NodeIdStatus status = controller.status();
    return (status.ids().cooling() == 0 && status.ids().free() == 0)
        || status.nodes().stream()
            .flatMap(node -> node.findings().stream())
            .noneMatch(each -> each.code() == NodeIdError.NODE_ID_EXHAUSTED);
  }

  @Override
  List<NodeRow> rows() {
    return controller.status().nodes().stream().map(rows::row).toList();
  }

  @Override
  Optional<NodeRow> row(String name) {
    return controller.report(name).map(rows::row);
  }

  @Override
  Optional<NodeExplanation> explain(String name) {
    return controller.report(name).map(rows::explanation);
  }

  /** Claims that stand for no id, or name no node. */
  @Override
  public List<ResourceProblem> problems() {
    return new TreeMap<>(controller.status().oddClaims())
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
