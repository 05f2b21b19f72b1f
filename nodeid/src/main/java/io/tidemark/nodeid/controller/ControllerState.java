package io.tidemark.nodeid.controller;

import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.time.Lanes;
import io.tidemark.time.RequestSlots;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The parts that the names of one controller share: the ledger, the lanes, room for requests.
 * Thread-safe.
 */
final class ControllerState {
  private enum Phase {
    /** Nodes and claims are read; nothing is decided. */
    STANDBY,
    ACTIVE,
    STOPPED
  }

  private final NodeIdSettings settings;
  private final NodeIdParts parts;
  private final IdLedger ledger;
  private final RequestSlots slots;
  private final Lanes lanes;
  private final Map<String, NodeWork> works = new ConcurrentHashMap<>();

  /** Tasks and requests that are queued or in flight. */
  private final AtomicInteger underWay = new AtomicInteger();

  private volatile Consumer<String> listener = name -> {};
  private volatile Phase phase = Phase.STANDBY;
  private volatile boolean begun;

  ControllerState(NodeIdSettings settings, NodeIdParts parts) {
    this.settings = settings;
    this.parts = parts;
    this.ledger = new IdLedger(settings.subnets(), settings.cooldown(), settings.writesPodCidr());
    this.slots = new RequestSlots(settings.parallelRequests());
    this.lanes = new Lanes(parts.executor(), settings.parallelRequests());
  }

  NodeIdSettings settings() {
    return settings;
  }

  NodeIdParts parts() {
    return parts;
  }

  IdLedger ledger() {
    return ledger;
  }

  RequestSlots slots() {
    return slots;
  }

  void onChange(Consumer<String> changed) {
    listener = changed;
  }

  /** The report of a name is another one. */
  void changed(String name) {
    listener.accept(name);
  }

  boolean isActive() {
    return phase == Phase.ACTIVE;
  }

  /** All nodes and claims are known. */
  void begin(IdNotes notes) {
    ledger.begin(notes, parts.now());
    begun = true;
    phase = Phase.ACTIVE;
    stepTouched();
  }

  /** Whether it has ever been active. */
  boolean hasBegun() {
    return begun;
  }

  /** No request begins any more; ends with the last one in flight. */
  CompletionStage<Void> end() {
    phase = Phase.STOPPED;
    return slots.close();
  }

  /** Steps for every name that a change concerns. */
  void stepTouched() {
    if (isActive()) {
      ledger.takeTouched().forEach(name -> post(name, NodeWork::step));
    }
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

  /** Runs a task on the lane of a name. */
  void post(String name, Consumer<NodeWork> task) {
    begun();
    NodeWork work =
        works.compute(
            name,
            (key, known) -> {
              NodeWork it = known == null ? new NodeWork(name, lanes.lane(), this) : known;
              it.queued++;
              return it;
            });
    work.lane.execute(() -> run(work, task));
  }

  private void run(NodeWork work, Consumer<NodeWork> task) {
    try {
      task.accept(work);
    } finally {
      works.computeIfPresent(
          work.name, (key, known) -> --known.queued == 0 && known.isIdle() ? null : known);
      ended();
    }
  }

  Optional<NodeWork> find(String name) {
    return Optional.ofNullable(works.get(name));
  }

  Stream<NodeWork> all() {
    return works.values().stream();
  }
}
