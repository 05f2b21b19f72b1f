package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.claim.IdCounts;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Gives each node of a cluster an id, from {@link #start} to {@link #stop}. Owns no thread. Any
 * thread may call; nothing blocks.
 *
 * <p>One process at a time should be started on the same nodes: the one that holds the lease. Two
 * at once, or late requests of a former one, give no id twice, since the claims prevent it. The
 * others can {@link #standBy} to have read nodes and claims when they take over.
 */
public final class NodeIdController {
  private static final Duration LIST_RETRY = Duration.ofSeconds(1);

  private final ControllerState state;
  private final NodeIdParts parts;
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();
  private final CompletableFuture<List<String>> stopped = new CompletableFuture<>();
  private final CompletableFuture<Void> nodesSynced = new CompletableFuture<>();
  private final CompletableFuture<Void> claimsSynced = new CompletableFuture<>();
  private final Object lock = new Object();
  private final List<Watch> watches = new ArrayList<>();
  private boolean startRequested;
  private boolean stopRequested;

  /** Reads and writes nothing before {@link #standBy} or {@link #start}. */
  public NodeIdController(NodeIdSettings settings, NodeIdParts parts) {
    this.state = new ControllerState(settings, parts);
    this.parts = parts;
  }

  /** Begins to read nodes and claims, and does nothing else before {@link #start}. Idempotent. */
  public void standBy() {
    synchronized (lock) {
      if (watches.isEmpty() && !stopRequested) {
        watches.add(parts.nodes().watch(new NodeFeed()));
        watches.add(parts.claims().watch(new ClaimFeed()));
      }
    }
  }

  /**
   * Begins to act: reads all claims and nodes as they are from now on, makes lost claims again, and
   * then gives ids to nodes that have none.
   *
   * @param notes what an earlier leader left
   * @return whether it began, and was not stopped before; never ends exceptionally. A second call
   *     returns the same
   */
  public CompletionStage<Boolean> start(IdNotes notes) {
    synchronized (lock) {
      if (startRequested || stopRequested) {
        return started;
      }
      startRequested = true;
    }
    standBy();
    parts.metrics().beforeScrape(() -> show(parts.metrics()));
    list(notes);
    return started;
  }

  /** All claims first: a node that comes meanwhile has no claim yet that is not seen. */
  private void list(IdNotes notes) {
    Object unused =
        parts
            .effects()
            .run(
                new EffectSite("listClaims", ""),
                state.settings().requestTimeout(),
                parts.claims()::list)
            .stage()
            .exceptionally(thrown -> new CatchUp.Failed(String.valueOf(thrown)))
            .thenCompose(
                end ->
                    end instanceof CatchUp.Done
                        ? parts.nodes().catchUp(parts.effects())
                        : CompletableFuture.completedStage(end))
            .thenCombine(CompletableFuture.allOf(nodesSynced, claimsSynced), (end, synced) -> end)
            .thenAcceptAsync(end -> listed(end, notes), parts.executor());
  }

  private void listed(CatchUp end, IdNotes notes) {
    if (end instanceof CatchUp.Failed) {
      Object unused = parts.scheduler().after(LIST_RETRY, () -> list(notes));
      return;
    }
    synchronized (lock) {
      if (stopRequested) {
        return;
      }
    }
    parts.nodes().names().forEach(this::readNode);
    parts.claims().names().forEach(this::readClaim);
    state.begin(notes);
    started.complete(true);
  }

  private void readNode(String name) {
    state.ledger().node(name, parts.nodes().latest(name), parts.now());
  }

  private void readClaim(String name) {
    state.ledger().claim(name, parts.claims().latest(name), parts.now());
  }

  /**
   * Calls {@code changed} with the name of each node that is new, gone or changed its state; one
   * listener, on the lanes, which it must not block.
   */
  public void onChange(Consumer<String> changed) {
    state.onChange(changed);
  }

  /** Whether it was started and nothing is queued or in flight: the next step is not its own. */
  public boolean isSettled() {
    return state.isActive() && state.isIdle();
  }

  /**
   * The notes for the next leader, as {@link IdNotes} reads them; changes with every claim. Empty
   * before it has begun: then what an earlier leader left still counts.
   */
  public Map<String, String> notes() {
    return state.hasBegun() ? state.ledger().notes().write() : Map.of();
  }

  /** The state of all nodes and ids; no nodes before the start. */
  public NodeIdStatus status() {
    List<NodeReport> nodes =
        state
            .all()
            .flatMap(work -> work.report().stream())
            .sorted(Comparator.comparing(NodeReport::node))
            .toList();
    return new NodeIdStatus(nodes, state.ledger().counts(), state.ledger().oddClaims());
  }

  /** The state of one node; empty when there is no such node, and before the start. */
  public Optional<NodeReport> report(String name) {
    return state.find(name).flatMap(NodeWork::report);
  }

  private void show(Meters meters) {
    NodeIdStatus now = status();
    IdCounts ids = now.ids();
    meters.gauge(Metric.NODE_ID_IDS, "claimed").set(ids.claimed());
    meters.gauge(Metric.NODE_ID_IDS, "cooling").set(ids.cooling());
    meters.gauge(Metric.NODE_ID_IDS, "never").set(ids.never());
    meters.gauge(Metric.NODE_ID_IDS, "free").set(ids.free());
    for (NodeReport.State each : NodeReport.State.values()) {
      meters.gauge(Metric.NODE_ID_NODES, each.label()).set(now.count(each));
    }
    long conflicts =
        now.nodes().stream()
            .filter(
                node ->
                    node.findings().stream()
                        .anyMatch(each -> each.code() == NodeIdError.NODE_ID_CONFLICT))
            .count();
    meters.gauge(Metric.NODE_ID_CONFLICTS).set(conflicts);
  }

  /**
   * Ends it: no request begins any more, and those in flight end, each within its bound.
   *
   * @return ends with the last of them: the nodes of which a write has no result; never
   *     exceptionally. A second call returns the same
   */
  public CompletionStage<List<String>> stop() {
    List<Watch> open;
    synchronized (lock) {
      if (stopRequested) {
        return stopped;
      }
      stopRequested = true;
      open = List.copyOf(watches);
    }
    open.forEach(Watch::close);
    Object unused =
        state
            .end()
            .thenRun(
                () -> {
                  started.complete(false);
                  stopped.complete(
                      state
                          .all()
                          .filter(NodeWork::hasUnknown)
                          .map(work -> work.name)
                          .sorted()
                          .toList());
                });
    return stopped;
  }

  private final class NodeFeed implements ObjectWatcher<ClusterNode> {
    @Override
    public void upserted(ClusterNode node) {
      deleted(node.name());
    }

    /** The store knows what there is; it may be newer than what is told. */
    @Override
    public void deleted(String name) {
      readNode(name);
      state.stepTouched();
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      // its last readable version counts
    }

    @Override
    public void synced() {
      nodesSynced.complete(null);
    }
  }

  private final class ClaimFeed implements ObjectWatcher<Claim> {
    @Override
    public void upserted(Claim claim) {
      deleted(claim.name());
    }

    @Override
    public void deleted(String name) {
      readClaim(name);
      state.stepTouched();
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      // its last readable version counts
    }

    @Override
    public void synced() {
      claimsSynced.complete(null);
    }
  }
}
