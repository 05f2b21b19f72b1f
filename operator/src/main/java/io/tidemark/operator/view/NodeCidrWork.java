package io.tidemark.operator.view;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.cluster.run.Countdown;
import io.tidemark.cluster.run.CountedEffects;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.cluster.run.SystemWork;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.metrics.NodeCidrMetrics;
import io.tidemark.nodecidr.NodeCidrEvent;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.controller.ControllerSettings;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.nodecidr.controller.NodeCidrParts;
import io.tidemark.nodecidr.controller.NodeReport;
import io.tidemark.nodecidr.controller.NodeReport.State;
import io.tidemark.nodecidr.controller.StartOutcome;
import io.tidemark.nodecidr.controller.TakeOver;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link NodeCidrController} over an open backend, when the turn is ours. Thread-safe. */
final class NodeCidrWork implements SystemWork {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCidrWork.class);

  /** Longer than the bound that a request has at the server, so that its answer is known. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private static final Duration LOOK = Duration.ofMillis(5);

  private final Choices choices;
  private final ClusterNodeBackend backend;
  private final TaskScheduler scheduler;
  private final CountedEffects effects;
  private final WatchedNodes nodes;
  private final NodeCidrController controller;
  private volatile boolean begun;

  /**
   * What holds for a run.
   *
   * @param requestTimeout of one request to the API server
   * @param random for pauses; thread-safe
   */
  record Choices(
      NodeCidrConfig config,
      Duration requestTimeout,
      NodeCidrMetrics metrics,
      RandomGenerator random,
      boolean readOnly) {}

  /** Puts it together; {@code changed} takes the name of each node whose state changed. */
  NodeCidrWork(
      Choices choices, ClusterNodeBackend backend, RunThreads threads, Consumer<String> changed) {
    this.choices = choices;
    this.backend = backend;
    this.scheduler = threads.timer();
    this.effects = new CountedEffects(backend.paced(threads.store()), scheduler.time());
    this.nodes = new WatchedNodes(backend.nodes());
    NodeCidrConfig config = choices.config();
    ControllerSettings settings =
        new ControllerSettings(
            config.cidrs().orElseThrow(),
            config.pauses().cooldown(),
            config.strictStart(),
            ControllerSettings.USUAL_PARALLELISM,
            choices.requestTimeout().plus(ANSWER),
            KubernetesNodeResourceStore.FIELD_MANAGER);
    NodeCidrParts parts =
        new NodeCidrParts(
            nodes,
            choices.readOnly() ? ObjectEvents.NONE : backend.events(NodeCidrEvent.WORDING),
            choices.metrics(),
            effects,
            threads.lanes(),
            scheduler,
            choices.readOnly() ? () -> false : backend.fence(),
            choices.random());
    this.controller =
        backend
            .leaderNotes()
            .map(notes -> new NodeCidrController(settings, parts, notes::publish))
            .orElseGet(() -> new NodeCidrController(settings, parts));
    backend.leaderNotes().ifPresent(notes -> notes.writeFrom(controller::notes));
    controller.onChange(changed);
  }

  NodeCidrController controller() {
    return controller;
  }

  /** Requests sent so far, by operation; what only reads sends none of its changes. */
  SortedMap<String, Long> requests() {
    return choices.readOnly() ? new TreeMap<>() : effects.counts();
  }

  @Override
  public CompletionStage<Boolean> start() {
    for (String note : choices.config().notes()) {
      LOG.warn("A setting is legal and perhaps not meant. note={}", note);
    }
    CompletableFuture<Boolean> read = new CompletableFuture<>();
    controller.standBy();
    Object unused =
        nodes
            .synced()
            .thenCompose(all -> controller.start(takeOver()))
            .whenComplete((outcome, thrown) -> started(read, outcome, thrown));
    return read;
  }

  private void started(
      CompletableFuture<Boolean> read, @Nullable StartOutcome outcome, @Nullable Throwable thrown) {
    if (outcome instanceof StartOutcome.Refused refused) {
      read.completeExceptionally(
          new IpamException(
              NodeCidrError.START_REFUSED,
              "CIDRs of nodes are not in order: " + String.join("; ", refused.problems())));
    } else if (thrown != null) {
      read.completeExceptionally(thrown);
    } else if (outcome instanceof StartOutcome.Stopped) {
      read.complete(false);
    } else {
      begun = true;
      awaitReports(read);
    }
  }

  /** Ends when each node was looked at, so that a report of all shows all. */
  private void awaitReports(CompletableFuture<Boolean> read) {
    List<String> names = nodes.names();
    if (names.stream().allMatch(name -> controller.explain(name).isPresent())) {
      read.complete(true);
    } else {
      Object unused = scheduler.after(LOOK, () -> awaitReports(read));
    }
  }

  /** What is assumed of the process before this one. */
  private TakeOver takeOver() {
    if (choices.readOnly()) {
      return TakeOver.none();
    }
    Duration hold = choices.config().pauses().takeOverHold();
    Optional<String> note =
        backend
            .leaderNotes()
            .map(LeaderNotes::inherited)
            .flatMap(notes -> Optional.ofNullable(notes.get(NodeCidrController.NOTE)));
    if (note.isPresent()) {
      return TakeOver.of(note.get(), hold);
    }
    return switch (backend.former()) {
      case NONE -> TakeOver.none();
      case ENDED -> TakeOver.clean();
      case LOST -> TakeOver.hold(hold);
      case UNKNOWN -> othersWrote() ? TakeOver.hold(hold) : TakeOver.clean();
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

  /** A node that waits for a pause to end is still to be served. */
  @Override
  public boolean isSettled() {
    return begun
        && controller.isSettled()
        && controller.status().nodes().stream().noneMatch(NodeCidrWork::waitsForTime);
  }

  private static boolean waitsForTime(NodeReport node) {
    return node.state() == State.WAITING
        || node.matters().stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_WITHHELD);
  }

  @Override
  public List<String> unready() {
    List<String> reasons = new ArrayList<>();
    if (!begun) {
      reasons.add("the nodes were not read yet");
    }
    controller.status().paused().ifPresent(why -> reasons.add(why.message()));
    if (backend.leading() == Backend.Leading.STANDBY) {
      reasons.add("the lease is not held any more");
    }
    return reasons;
  }

  @Override
  public List<ResourceProblem> problemsOf(String name) {
    return nodes.problemsOf(name);
  }

  @Override
  public StopReport drain(Countdown end, Duration bound) throws InterruptedException {
    CompletableFuture<List<String>> unknown = new CompletableFuture<>();
    Object unused = controller.stop().thenAccept(report -> unknown.complete(report.unknown()));
    boolean drained = end.await(unknown, bound.dividedBy(3));
    boolean written = end.await(backend.flush(), bound.dividedBy(10));
    List<String> lost =
        unknown.getNow(List.of()).stream().map(node -> "pod CIDRs of node " + node).toList();
    return new StopReport(lost, drained && written);
  }

  /** With a change on its way, the next leader must not begin at once. */
  @Override
  public boolean mayResign(StopReport drained) {
    return drained.isClean();
  }

  @Override
  public List<String> close() {
    Object unused = controller.stop();
    return List.of();
  }
}
