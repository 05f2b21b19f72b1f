package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.controller.ControllerState.Phase;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives each node of a cluster one block of pod addresses per family, from {@link #start} to {@link
 * #stop}. Owns no thread. Any thread may call; nothing blocks.
 *
 * <p>One process at a time may be started on the same nodes: the one that holds the lease. The
 * others can {@link #standBy} to have read the nodes when they take over.
 */
public final class NodeCidrController {
  /** The name of the note in the lease. */
  public static final String NOTE = "node-cidr";

  private static final Duration LIST_RETRY = Duration.ofSeconds(1);

  private final ControllerState state;
  private final NodeCidrParts parts;
  private final CompletableFuture<Void> synced = new CompletableFuture<>();
  private final CompletableFuture<StartOutcome> started = new CompletableFuture<>();
  private final CompletableFuture<StopReport> stopped = new CompletableFuture<>();
  private final Object lock = new Object();
  private @Nullable Watch watch;
  private boolean startRequested;
  private boolean stopRequested;

  /** Reads and writes nothing before {@link #standBy} or {@link #start}. */
  public NodeCidrController(ControllerSettings settings, NodeCidrParts parts) {
    this(settings, parts, Optional.empty());
  }

  /**
   * The same under a lease: the next leader can know from it how far blocks were given out, and
   * need not wait then.
   *
   * @param publisher writes {@link #notes} to the lease now, as they are from this call on; ends
   *     with whether they are stored, never exceptionally
   */
  public NodeCidrController(
      ControllerSettings settings,
      NodeCidrParts parts,
      Supplier<CompletionStage<Boolean>> publisher) {
    this(settings, parts, Optional.of(publisher));
  }

  private NodeCidrController(
      ControllerSettings settings,
      NodeCidrParts parts,
      Optional<Supplier<CompletionStage<Boolean>>> publisher) {
    this.state = new ControllerState(settings, parts, publisher);
    this.parts = parts;
    ControllerMeters.show(state);
  }

  /**
   * The notes of the lease for the next leader, by name: none before this controller has something
   * to say, so that what a former leader said stays. After {@link #stop} it may say that this one
   * ended in order.
   */
  public Map<String, String> notes() {
    return state.note().flatMap(LeaseNote::text).map(text -> Map.of(NOTE, text)).orElse(Map.of());
  }

  /**
   * Calls {@code changed} with the name of each node that is new, gone or changed its state or
   * CIDRs; one listener, on the lanes, which it must not block.
   */
  public void onChange(Consumer<String> changed) {
    state.tell(changed);
  }

  /** Begins to read the nodes, and does nothing else before {@link #start}. Idempotent. */
  public void standBy() {
    synchronized (lock) {
      if (watch == null && !stopRequested) {
        watch = parts.store().watch(new NodeFeed(state, () -> synced.complete(null)));
      }
    }
  }

  /**
   * Begins to assign: reads all nodes as they are from now on, claims the CIDRs that they have, and
   * then gives blocks to those without any. Only while no other process does the same.
   *
   * @param before asked once, when all nodes are known
   * @return never ends exceptionally; a second call returns the same
   */
  public CompletionStage<StartOutcome> start(Supplier<TakeOver> before) {
    synchronized (lock) {
      if (startRequested || stopRequested) {
        return started;
      }
      startRequested = true;
    }
    standBy();
    list(before);
    return started;
  }

  /** Whether it was started and nothing is queued or in flight: the next step is not its own. */
  public boolean isSettled() {
    return state.isActive() && state.isIdle();
  }

  /** The state of all nodes and ranges; no nodes before the start. */
  public NodeCidrStatus status() {
    List<NodeReport> nodes =
        state
            .all()
            .flatMap(work -> work.report().stream())
            .sorted(Comparator.comparing(report -> report.node().name()))
            .toList();
    return NodeCidrStatus.of(nodes, state.ledger().usage(), state.pause());
  }

  /** The state of one node; empty when there is no such node, and before the start. */
  public Optional<NodeReport> report(String name) {
    return Optional.ofNullable(state.find(name)).flatMap(NodeWork::report);
  }

  /** Why a node has what it has; empty when there is no such node, and before the start. */
  public Optional<Explanation> explain(String name) {
    return report(name).map(report -> Explanation.of(report, state.ledger()::usage, parts.now()));
  }

  /**
   * Ends it: no request begins any more, and those in flight end, each within its bound. The
   * program releases its lease afterwards.
   *
   * @return ends with the last of them; never exceptionally. A second call returns the same
   */
  public CompletionStage<StopReport> stop() {
    Watch open;
    synchronized (lock) {
      if (stopRequested) {
        return stopped;
      }
      stopRequested = true;
      open = watch;
    }
    state.enter(Phase.STOPPED);
    if (open != null) {
      open.close();
    }
    Object unused =
        state
            .closeSlots()
            .thenRun(
                () -> {
                  started.complete(new StartOutcome.Stopped());
                  List<String> unknown =
                      state
                          .all()
                          .filter(NodeWork::hasUnknown)
                          .map(work -> work.name)
                          .sorted()
                          .toList();
                  if (unknown.isEmpty()) {
                    state.note().ifPresent(LeaseNote::end);
                  }
                  stopped.complete(new StopReport(unknown));
                });
    return stopped;
  }

  /** It also waits for the watch, which alone tells of nodes that cannot be read. */
  private void list(Supplier<TakeOver> before) {
    long interruptions = parts.store().interruptions();
    Object unused =
        parts
            .store()
            .catchUp(parts.effects())
            .thenAcceptBothAsync(
                synced,
                (end, delivered) -> {
                  if (end instanceof CatchUp.Failed) {
                    Object unusedTimer = parts.scheduler().after(LIST_RETRY, () -> list(before));
                    return;
                  }
                  List<ClusterNode> all = new ArrayList<>();
                  for (String name : parts.store().names()) {
                    parts.store().latest(name).ifPresent(all::add);
                  }
                  state.freshList().begin(interruptions);
                  begin(all, before.get());
                },
                parts.executor());
  }

  private void begin(List<ClusterNode> nodes, TakeOver before) {
    CidrLedger ledger = state.ledger();
    StartPass pass = StartPass.claim(ledger, nodes);
    if (state.settings().strictStart() && !pass.findings().isEmpty()) {
      started.complete(new StartOutcome.Refused(pass.sentences()));
      return;
    }
    takeOver(before);
    state
        .note()
        .ifPresentOrElse(
            note -> note.publishFirst(() -> serve(nodes, pass)), () -> serve(nodes, pass));
  }

  private void takeOver(TakeOver before) {
    CidrLedger ledger = state.ledger();
    long now = parts.now();
    if (before instanceof TakeOver.Hold hold) {
      long until = now + hold.pause().toNanos();
      Map<Cidr, Long> from =
          hold.note()
              .flatMap(HandOver::parse)
              .filter(note -> !note.ended())
              .map(note -> note.positions(ledger.cidrs()))
              .orElse(Map.of());
      ledger.rounds().withholdUntil(until, from);
      Object unused = parts.scheduler().at(until, state::wake);
    } else if (before instanceof TakeOver.Clean clean) {
      Optional<HandOver> note = clean.note().flatMap(HandOver::parse);
      note.ifPresent(it -> ledger.rounds().resumeAt(it.positions(ledger.cidrs())));
      note.ifPresent(it -> it.cooling().forEach(node -> ledger.cool(node, now)));
    }
  }

  private void serve(List<ClusterNode> nodes, StartPass pass) {
    if (state.pause().isEmpty() && parts.cloud().isEmpty()) {
      pass.reserve(state.ledger(), parts.now());
    }
    synchronized (lock) {
      if (stopRequested) {
        return;
      }
      state.enter(Phase.ACTIVE);
    }
    state.awaitCooldowns();
    state.keepAhead();
    Set<String> since = new HashSet<>(parts.store().names());
    for (ClusterNode node : nodes) {
      since.remove(node.name());
      state.post(node.name(), work -> work.begin(node));
    }
    since.forEach(name -> state.post(name, NodeWork::step));
    started.complete(new StartOutcome.Ready());
  }
}
