package io.tidemark.nodecidr.controller;

import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.time.Lanes;
import io.tidemark.time.RequestSlots;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts that the nodes of one controller share: the ledger, the lanes, room for requests, and
 * the timers that concern more than one node. Thread-safe.
 */
final class ControllerState {
  /** How far the controller is. */
  enum Phase {
    /** Nodes are read; nothing is decided. */
    STANDBY,
    ACTIVE,
    STOPPED
  }

  /** Requests to a cloud at once; its provider has limits of its own. */
  private static final int CLOUD_PARALLEL = 200;

  private final ControllerSettings settings;
  private final NodeCidrParts parts;
  private final CidrLedger ledger;
  private final RequestSlots slots;
  private final RequestSlots cloudSlots = new RequestSlots(CLOUD_PARALLEL);
  private final SecondAllocator second = new SecondAllocator();
  private final Lanes lanes;
  private final Map<String, NodeWork> nodes = new ConcurrentHashMap<>();

  /** Tasks and requests that are queued or in flight. */
  private final AtomicInteger underWay = new AtomicInteger();

  /** Tells the next leader how far blocks are given out; empty where there is no lease. */
  private final Optional<LeaseNote> note;

  /** Names of nodes that cannot be read and could not before: nobody knows what they have. */
  private final Set<String> unread = ConcurrentHashMap.newKeySet();

  private final FreshList freshList = new FreshList(this);
  private final CooldownTimer cooldowns = new CooldownTimer(this);
  private volatile Phase phase = Phase.STANDBY;
  private volatile Consumer<String> changed = name -> {};

  ControllerState(
      ControllerSettings settings,
      NodeCidrParts parts,
      Optional<Supplier<CompletionStage<Boolean>>> publisher) {
    this.settings = settings;
    this.parts = parts;
    this.ledger =
        new CidrLedger(
            settings.cidrs(),
            settings.cooldown(),
            (range, passedOver) ->
                parts
                    .metrics()
                    .record(Metric.CIDRSET_TRIES, (double) passedOver, range.toString()));
    this.slots = new RequestSlots(settings.parallelRequests());
    this.note = publisher.map(it -> new LeaseNote(this, it));
    this.lanes = new Lanes(parts.executor(), settings.parallelRequests());
  }

  ControllerSettings settings() {
    return settings;
  }

  NodeCidrParts parts() {
    return parts;
  }

  CidrLedger ledger() {
    return ledger;
  }

  RequestSlots slots() {
    return slots;
  }

  /** Room for requests to the cloud, apart from those to the store. */
  RequestSlots cloudSlots() {
    return cloudSlots;
  }

  /** Begins no more requests; ends when those in flight have ended. */
  CompletionStage<Void> closeSlots() {
    return slots.close().thenCombine(cloudSlots.close(), (store, cloud) -> null);
  }

  /** Why no node gets blocks now; empty when they do. */
  Optional<Matter> pause() {
    Optional<String> unknown = unread.stream().sorted().findFirst();
    return second
        .pause()
        .or(
            () ->
                unknown.map(
                    name ->
                        new Matter(
                            NodeCidrError.CIDR_UNREADABLE,
                            "node " + name + " cannot be read, so its CIDRs are not known")));
  }

  /** A node cannot be read, and what it has is not known from before. */
  void unread(String name) {
    unread.add(name);
  }

  /** A node can be read, or is gone. */
  void read(String name) {
    if (unread.remove(name) && isActive() && pause().isEmpty()) {
      resumeAll();
    }
  }

  Phase phase() {
    return phase;
  }

  /** Takes the listener for names of nodes whose report changed. */
  void tell(Consumer<String> listener) {
    changed = listener;
  }

  /** The report of a node is new, another one, or gone. */
  void changed(String node) {
    changed.accept(node);
  }

  boolean isActive() {
    return phase == Phase.ACTIVE;
  }

  void enter(Phase next) {
    phase = next;
  }

  /** Something is queued or in flight that {@link #ended} will follow. */
  void begun() {
    underWay.incrementAndGet();
  }

  void ended() {
    underWay.decrementAndGet();
  }

  boolean isIdle() {
    return underWay.get() == 0;
  }

  /** Runs a task on the lane of a name, which knows the node of that name. */
  void post(String name, Consumer<NodeWork> task) {
    begun();
    nodes.compute(
        name,
        (key, known) -> {
          NodeWork work = known == null ? new NodeWork(name, lanes.lane(), this) : known;
          work.queued++;
          return work;
        });
    NodeWork work = nodes.get(name);
    if (work == null) {
      throw new IllegalStateException(name + " has a task and is not known");
    }
    work.lane.execute(() -> run(work, task));
  }

  private void run(NodeWork work, Consumer<NodeWork> task) {
    try {
      task.accept(work);
    } finally {
      nodes.computeIfPresent(
          work.name, (key, known) -> --known.queued == 0 && known.isEmpty() ? null : known);
      ended();
    }
  }

  @Nullable NodeWork find(String name) {
    return nodes.get(name);
  }

  Stream<NodeWork> all() {
    return nodes.values().stream();
  }

  /** The names of all nodes that are known here; a copy. */
  Set<String> names() {
    return new HashSet<>(nodes.keySet());
  }

  FreshList freshList() {
    return freshList;
  }

  /** Takes up every node again, as after a pause. */
  void resumeAll() {
    nodes.keySet().forEach(name -> post(name, NodeWork::resume));
  }

  /** The note for the next leader; empty where there is no lease. */
  Optional<LeaseNote> note() {
    return note;
  }

  /** More blocks were given out, or seen on nodes. */
  void keepAhead() {
    note.ifPresent(LeaseNote::keepAhead);
  }

  /** Gives blocks that are free to those who have waited longest. */
  void wake() {
    if (!isActive() || pause().isPresent()) {
      return;
    }
    long now = parts.now();
    List<NodeOwner> servable = ledger.servable(now);
    if (!servable.isEmpty() && !freshList.isThere()) {
      return;
    }
    for (NodeOwner owner : servable) {
      Object unusedOutcome = ledger.reserve(owner, now);
      post(owner.name(), work -> work.granted(owner));
    }
    keepAhead();
  }

  /** The CIDRs of these nodes are in another state, since those of another node changed. */
  void review(Iterable<NodeOwner> owners) {
    owners.forEach(owner -> post(owner.name(), NodeWork::step));
  }

  /** The server's records name who wrote the CIDRs of a node that we did not assign. */
  void written(String node, String writer) {
    if (writer.equals(settings.manager())) {
      return;
    }
    if (second.wrote(node, writer, parts.now())) {
      awaitQuiet();
      nodes.keySet().forEach(name -> post(name, NodeWork::step)); // nodes that wait report why
    }
  }

  private void awaitQuiet() {
    Object unused = parts.scheduler().at(second.untilNanos(), this::quiet);
  }

  private void quiet() {
    if (phase == Phase.STOPPED) {
      return;
    }
    if (second.ends(parts.now())) {
      resumeAll();
    } else {
      awaitQuiet();
    }
  }

  /** A cooldown has begun: each node that was absent for so long is read when it is over. */
  void awaitCooldowns() {
    cooldowns.arm();
  }
}
