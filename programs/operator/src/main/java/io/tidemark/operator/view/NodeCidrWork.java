package io.tidemark.operator.view;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.metrics.Meters;
import io.tidemark.nodecidr.NodeCidrEvent;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.controller.CidrTakeOver;
import io.tidemark.nodecidr.controller.ControllerSettings;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import io.tidemark.operator.report.NodeRow.Problem;
import io.tidemark.resilience.CallCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Nodes get their pod CIDRs. Thread-safe. */
final class NodeCidrWork extends NodesWork {
  private final NodeCidrConfig config;
  private final Backend backend;
  private final Optional<NodeCidrCloud.Open> cloud;
  private final NodeCidrController controller;

  /**
   * Puts it together.
   *
   * @param cloud the one that the nodes follow
   * @param changed takes the name of each node whose state changed
   */
  NodeCidrWork(
      NodeCidrConfig config,
      Optional<NodeCidrCloud> cloud,
      Meters metrics,
      Conditions conditions,
      Objects objects,
      RunThreads threads,
      Consumer<String> changed) {
    super(conditions, objects, threads);
    this.config = config;
    this.backend = objects.backend();
    ControllerSettings settings =
        new ControllerSettings(
            config.cidrs().orElseThrow(),
            config.pauses().cooldown(),
            config.strictStart(),
            ControllerSettings.USUAL_PARALLELISM,
            conditions.requestBound(),
            KubernetesNodeResourceStore.FIELD_MANAGER);
    ControllerParts parts =
        new ControllerParts(
            nodes,
            events(NodeCidrEvent.WORDING),
            metrics,
            effects,
            threads.lanes(),
            scheduler,
            fence(),
            conditions.random());
    this.cloud =
        cloud.map(each -> each.open(threads, conditions.random(), fence(), backend.notices()));
    this.controller =
        new NodeCidrController(
            settings,
            parts,
            this.cloud.map(open -> CloudSource.of(config.type(), open.provider())),
            backend.leaderNotes().map(notes -> notes::publish));
    backend.leaderNotes().ifPresent(notes -> notes.writeFrom(controller::notes));
    controller.onChange(changed);
  }

  @Override
  CompletionStage<Boolean> begin() {
    return controller.start(this::takeOver);
  }

  private CidrTakeOver takeOver() {
    if (conditions.readOnly()) {
      return CidrTakeOver.clean();
    }
    Duration hold = config.pauses().takeOverHold();
    Optional<String> note =
        backend
            .leaderNotes()
            .map(LeaderNotes::inherited)
            .flatMap(notes -> Optional.ofNullable(notes.get(NodeCidrController.NOTE)));
    if (note.isPresent()) {
      return CidrTakeOver.of(note.get(), hold);
    }
    return switch (backend.former()) {
      case NONE, ENDED -> CidrTakeOver.clean();
      case LOST -> CidrTakeOver.hold(hold);
      case UNKNOWN -> othersWrote() ? CidrTakeOver.hold(hold) : CidrTakeOver.clean();
    };
  }

  /**
   * Whether another program has assigned CIDRs, by the server's records. Where these name nobody it
   * may have; an object that is to be ignored is assigned by others in any case.
   */
  private boolean othersWrote() {
    return nodes.names().stream()
        .flatMap(name -> nodes.latest(name).stream())
        .filter(node -> !node.exempt())
        .map(ClusterNode::podCidrs)
        .anyMatch(
            cidrs ->
                !cidrs.isEmpty()
                    && !cidrs
                        .writer()
                        .equals(Optional.of(KubernetesNodeResourceStore.FIELD_MANAGER)));
  }

  @Override
  boolean isDone() {
    return controller.isSettled()
        && controller.nodes().stream().noneMatch(NodeCidrWork::waitsForTime);
  }

  private static boolean waitsForTime(CidrNodeReport node) {
    return node.state() == State.WAITING
        || node.matters().stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_WITHHELD);
  }

  @Override
  List<NodeRow> rows() {
    return controller.nodes().stream().map(NodeCidrWork::row).toList();
  }

  @Override
  Optional<NodeRow> row(String name) {
    return controller.report(name).map(NodeCidrWork::row);
  }

  @Override
  Optional<NodeExplanation> explain(String name) {
    return controller.report(name).map(NodeCidrWork::explanation);
  }

  /** How a node is shown. */
  private static NodeRow row(CidrNodeReport node) {
    boolean lacks = node.state() == State.WAITING || node.state() == State.PARKED;
    return new NodeRow(
        node.node().name(),
        List.of(Column.of("podCIDRs", lacks ? List.of() : texts(node.cidrs()))),
        List.of(),
        node.state().label(),
        node.state() == State.ASSIGNED,
        lacks ? 1 : 0,
        node.matter().map(NodeCidrWork::problem));
  }

  private static NodeExplanation explanation(CidrNodeReport node) {
    Map<String, String> numbers = new LinkedHashMap<>();
    numbers.put("uid", node.node().uid());
    numbers.put("podCIDRs", row(node).columns().get(0).text());
    return NodeExplanation.of(
        node.node().name(),
        node.state().label(),
        numbers,
        plan(node),
        node.matters().stream().map(NodeCidrWork::problem).toList());
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

  @Override
  public List<String> unready() {
    List<String> reasons = new ArrayList<>(super.unready());
    controller.paused().ifPresent(why -> reasons.add(why.message()));
    return reasons;
  }

  @Override
  CallCounts counts() {
    CallCounts toServer = super.counts();
    if (cloud.isEmpty()) {
      return toServer;
    }
    CallCounts toCloud = cloud.get().calls().counts();
    SortedMap<String, Long> all = new TreeMap<>(toServer.calls());
    all.putAll(toCloud.calls());
    return new CallCounts(all, toCloud.throttled());
  }

  @Override
  void release() {
    cloud.ifPresent(open -> open.provider().close());
  }

  @Override
  CompletionStage<List<String>> end() {
    return controller
        .stop()
        .thenApply(unknown -> unknown.stream().map(node -> "pod CIDRs of node " + node).toList());
  }

  /** With a change on its way, the next leader must not begin at once. */
  @Override
  public boolean mayResign(StopReport drained) {
    return drained.isClean();
  }
}
