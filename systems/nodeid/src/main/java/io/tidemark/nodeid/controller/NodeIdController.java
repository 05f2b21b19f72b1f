package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdLedger.IdCounts;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.nodeid.controller.IdNodeReport.State;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectSite;
import io.tidemark.time.RequestSlots;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Gives each node of a cluster an id, from {@link #start} to {@link #stop}. Owns no thread. Any
 * thread may call; nothing blocks.
 *
 * <p>One process at a time should be started on the same nodes: the one that holds the lease. Two
 * at once, or late requests of a former one, give no id twice, since the claims prevent it. The
 * others can {@link #standBy} to have read nodes and claims when they take over.
 */
public final class NodeIdController {
  final ControllerParts parts;
  final ClaimStore claims;
  final Duration requestTimeout;
  final RequestSlots slots;
  final IdLedger ledger;
  private final KeyedReconciler<IdNodeWork> reconciler;
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();
  private final CompletableFuture<Void> nodesSynced = new CompletableFuture<>();
  private final CompletableFuture<Void> claimsSynced = new CompletableFuture<>();
  private volatile Consumer<String> listener = name -> {};
  private volatile boolean begun;

  /**
   * Reads and writes nothing before {@link #standBy} or {@link #start}. The ledger knows nothing
   * yet; so many requests, 1 or more, are in flight at once; nobody else watches the claims.
   */
  public NodeIdController(
      IdLedger ledger,
      int parallelRequests,
      Duration requestTimeout,
      ControllerParts parts,
      ClaimStore claims) {
    this.claims = claims;
    this.parts = parts;
    this.requestTimeout = requestTimeout;
    this.ledger = ledger;
    this.slots = new RequestSlots(parallelRequests);
    this.reconciler =
        new KeyedReconciler<>(
            parts.executor(),
            parallelRequests,
            parts.scheduler(),
            parts.random(),
            List.of(slots),
            name -> new IdNodeWork(name, this));
  }

  /** Begins to read nodes and claims, and does nothing else before {@link #start}. Idempotent. */
  public void standBy() {
    reconciler.watch(
        () ->
            List.of(
                parts.nodes().watch(new Feed<>(ClusterNode::name, this::readNode, nodesSynced)),
                claims.watch(new Feed<>(Claim::name, this::readClaim, claimsSynced))));
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
    standBy();
    if (reconciler.start(this::list, () -> listed(notes))) {
      parts.metrics().beforeScrape(() -> show(parts.metrics()));
    }
    return started;
  }

  /** All claims first: a node that comes meanwhile has no claim yet that is not seen. */
  private CompletionStage<CatchUp> list() {
    return parts
        .effects()
        .run(new EffectSite("listClaims", ""), requestTimeout, claims::list)
        .stage()
        .exceptionally(thrown -> new CatchUp.Failed(String.valueOf(thrown)))
        .thenCompose(
            end ->
                end instanceof CatchUp.Done
                    ? parts.nodes().catchUp(parts.effects())
                    : CompletableFuture.completedStage(end))
        .thenCombine(CompletableFuture.allOf(nodesSynced, claimsSynced), (end, synced) -> end);
  }

  private void listed(IdNotes notes) {
    parts.nodes().names().forEach(this::readNode);
    claims.names().forEach(this::readClaim);
    ledger.begin(notes, parts.now());
    if (reconciler.activate()) {
      begun = true;
      stepTouched();
      started.complete(true);
    }
  }

  private void readNode(String name) {
    ledger.node(name, parts.nodes().latest(name), parts.now());
  }

  private void readClaim(String name) {
    ledger.claim(name, claims.latest(name), parts.now());
  }

  /** Steps for every name that a change concerns. */
  void stepTouched() {
    if (reconciler.isActive()) {
      ledger.takeTouched().forEach(reconciler::step);
    }
  }

  /**
   * Calls {@code changed} with the name of each node that is new, gone or changed its state; one
   * listener, on the lanes, which it must not block.
   */
  public void onChange(Consumer<String> changed) {
    listener = changed;
  }

  /** Takes the name of a node whose report is another one. */
  void changed(String name) {
    listener.accept(name);
  }

  /** Whether it was started and nothing is queued or in flight: the next step is not its own. */
  public boolean isSettled() {
    return reconciler.isSettled();
  }

  /**
   * The notes for the next leader, as {@link IdNotes} reads them; changes with every claim. Empty
   * before it has begun: then what an earlier leader left still counts.
   */
  public Map<String, String> notes() {
    return begun ? ledger.notes().write() : Map.of();
  }

  /** The state of all nodes, by name; none before the start. */
  public List<IdNodeReport> nodes() {
    return reconciler
        .items()
        .flatMap(work -> work.report().stream())
        .sorted(Comparator.comparing(IdNodeReport::node))
        .toList();
  }

  /** How many ids are in which state. */
  public IdCounts ids() {
    return ledger.counts();
  }

  /** As {@link IdLedger#oddClaims}. */
  public Map<String, String> oddClaims() {
    return ledger.oddClaims();
  }

  /** The state of one node; empty when there is no such node, and before the start. */
  public Optional<IdNodeReport> report(String name) {
    return reconciler.find(name).flatMap(IdNodeWork::report);
  }

  private void show(Meters meters) {
    Map<State, Long> nodes =
        nodes().stream().collect(Collectors.groupingBy(IdNodeReport::state, Collectors.counting()));
    IdCounts ids = ids();
    meters.gauge(Metric.NODE_ID_IDS, "claimed").set(ids.claimed());
    meters.gauge(Metric.NODE_ID_IDS, "cooling").set(ids.cooling());
    meters.gauge(Metric.NODE_ID_IDS, "never").set(ids.never());
    meters.gauge(Metric.NODE_ID_IDS, "free").set(ids.free());
    for (State each : State.values()) {
      meters.gauge(Metric.NODE_ID_NODES, each.label()).set(nodes.getOrDefault(each, 0L));
    }
    meters.gauge(Metric.NODE_ID_CONFLICTS).set(nodes.getOrDefault(State.CONFLICT, 0L));
  }

  /**
   * Ends it: no request begins any more, and those in flight end, each within its bound.
   *
   * @return ends with the last of them: the nodes of which a write has no result; never
   *     exceptionally. A second call returns the same
   */
  public CompletionStage<List<String>> stop() {
    return reconciler
        .stop()
        .thenApply(
            unknown -> {
              started.complete(false);
              return unknown;
            });
  }

  /** Reads the newest object of a name from the store after an event. */
  private final class Feed<T> implements ObjectWatcher<T> {
    private final Function<T, String> name;
    private final Consumer<String> read;
    private final CompletableFuture<Void> synced;

    Feed(Function<T, String> name, Consumer<String> read, CompletableFuture<Void> synced) {
      this.name = name;
      this.read = read;
      this.synced = synced;
    }

    @Override
    public void upserted(T object) {
      deleted(name.apply(object));
    }

    @Override
    public void deleted(String name) {
      read.accept(name);
      stepTouched();
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      // its last readable version counts
    }

    @Override
    public void synced() {
      synced.complete(null);
    }
  }
}
