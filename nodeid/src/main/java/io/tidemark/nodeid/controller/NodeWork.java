package io.tidemark.nodeid.controller;

import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.claim.IdFinding;
import io.tidemark.nodeid.claim.IdStep;
import io.tidemark.time.Backoff;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import io.tidemark.time.Cancellable;
import io.tidemark.time.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The work for one name: one step at a time until there is nothing to do. Confined to its lane, but
 * for what is asked of it.
 */
final class NodeWork {
  final String name;
  final Lane lane;

  /** Guarded by the map of the state. */
  int queued;

  private final ControllerState state;
  private final Set<NodeIdError> reported = EnumSet.noneOf(NodeIdError.class);
  private BackoffState backoff = BackoffState.NONE;
  private Optional<StepRequest<?>> reading = Optional.empty();
  private boolean busy;
  private boolean pausing;

  /** Whether the pause counts as something under way; not when only people can help. */
  private boolean counted;

  private @Nullable Cancellable timer;
  private OptionalLong seenNanos = OptionalLong.empty();
  private volatile boolean unknown;
  private volatile Optional<NodeReport> report = Optional.empty();

  NodeWork(String name, Lane lane, ControllerState state) {
    this.name = name;
    this.lane = lane;
    this.state = state;
  }

  /** Whether it has nothing to remember. */
  boolean isIdle() {
    return !busy && timer == null && report.isEmpty();
  }

  /** Whether the last write has no result. */
  boolean hasUnknown() {
    return unknown;
  }

  Optional<NodeReport> report() {
    return report;
  }

  /** Does what is to be done now, unless a request or a pause is under way. */
  void step() {
    if (busy || pausing || !state.isActive()) {
      return;
    }
    if (reading.isEmpty() && rests()) {
      return;
    }
    busy = true;
    state.begun();
    state.slots().request(() -> state.post(name, NodeWork::send));
  }

  /** Whether there is nothing to do; then the findings are those of now. */
  private boolean rests() {
    if (!(state.ledger().next(name, state.parts().now()) instanceof IdStep.Rest rest)) {
      return false;
    }
    backoff = BackoffState.NONE;
    unknown = false;
    cancelTimer();
    rest.untilNanos().ifPresent(this::awaitUntil);
    show(rest.findings());
    return true;
  }

  private void awaitUntil(long nanos) {
    timer = state.parts().scheduler().at(nanos, () -> state.post(name, NodeWork::woken));
  }

  private void woken() {
    timer = null;
    pausing = false;
    if (counted) {
      counted = false;
      state.ended();
    }
    step();
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** There is room for a request: what is to be done may be another thing by now. */
  private void send() {
    Optional<StepRequest<?>> request =
        reading.or(() -> StepRequest.of(state.ledger().next(name, state.parts().now()), state));
    if (request.isEmpty()) {
      sent();
      step();
      return;
    }
    if (state.ledger().isPresent(name) && seenNanos.isEmpty()) {
      seenNanos = OptionalLong.of(state.parts().now());
    }
    reading = Optional.empty();
    request.get().reasserts().ifPresent(this::reasserts);
    if (report.isEmpty() && state.ledger().isPresent(name)) {
      show(List.of());
    }
    Object unused =
        request
            .get()
            .run(name, state)
            .thenAccept(end -> state.post(name, work -> work.ended(end.get())));
  }

  private void sent() {
    busy = false;
    state.ended();
    state.slots().release();
  }

  private void reasserts(NodeId id) {
    if (reported.add(NodeIdError.NODE_ID_REASSERTED)) {
      state
          .parts()
          .events()
          .report(
              name,
              NodeIdError.NODE_ID_REASSERTED,
              "the claim of id "
                  + id
                  + ", which node "
                  + name
                  + " shows, was lost and is made again");
    }
  }

  private void ended(StepEnd end) {
    unknown = end.kind() == StepEnd.Kind.UNKNOWN;
    reading = end.next();
    if (end.kind() == StepEnd.Kind.DONE && state.isActive()) {
      state.stepTouched();
      send(); // what follows needs no other turn: the first node is done before the last has begun
      return;
    }
    sent();
    state.stepTouched();
    switch (end.kind()) {
      case DONE -> {}
      case UNKNOWN, AGAIN -> {
        counted = state.isActive();
        if (counted) {
          state.begun();
        }
        pause();
      }
      case REFUSED -> {
        String detail = end.detail().replaceAll("\\.$", "");
        show(List.of(new IdFinding(NodeIdError.CLAIMS_FORBIDDEN, detail)));
        pause();
      }
    }
  }

  private void pause() {
    if (!state.isActive()) {
      return;
    }
    long now = state.parts().now();
    backoff = backoff.failed(BackoffPolicy.REQUEST, now);
    Duration pause =
        Backoff.pause(BackoffPolicy.REQUEST, backoff.failures(), state.parts().random());
    pausing = true;
    cancelTimer();
    awaitUntil(now + pause.toNanos());
  }

  /** Shows the findings of now, and reports what is new or solved. */
  private void show(List<IdFinding> findings) {
    Set<NodeIdError> open = EnumSet.noneOf(NodeIdError.class);
    for (IdFinding each : findings) {
      open.add(each.code());
      if (reported.add(each.code())) {
        state.parts().events().report(name, each.code(), each.detail());
      }
    }
    for (NodeIdError each : new ArrayList<>(reported)) {
      if (!open.contains(each) && (each != NodeIdError.NODE_ID_REASSERTED || !busy)) {
        reported.remove(each);
        state.parts().events().cleared(name, each);
      }
    }
    if (!state.ledger().isPresent(name)) {
      shown(Optional.empty());
      seenNanos = OptionalLong.empty();
      return;
    }
    Optional<NodeId> id = state.ledger().id(name);
    NodeReport.State now = stateOf(id, findings);
    long since =
        report
            .filter(before -> before.state() == now)
            .map(NodeReport::sinceNanos)
            .orElse(state.parts().now());
    shown(
        Optional.of(
            new NodeReport(
                name,
                id,
                findings.isEmpty() ? state.ledger().next(name) : Optional.empty(),
                now,
                findings,
                since)));
    if (now == NodeReport.State.ASSIGNED && seenNanos.isPresent()) {
      state
          .parts()
          .metrics()
          .record(
              Metric.NODE_ID_CLAIM_DURATION,
              Duration.ofNanos(state.parts().now() - seenNanos.getAsLong()));
      seenNanos = OptionalLong.empty();
    }
  }

  private void shown(Optional<NodeReport> now) {
    boolean same = now.equals(report);
    report = now;
    if (!same) {
      state.changed(name);
    }
  }

  private NodeReport.State stateOf(Optional<NodeId> id, List<IdFinding> findings) {
    if (findings.stream().anyMatch(each -> each.code() == NodeIdError.NODE_ID_CONFLICT)) {
      return NodeReport.State.CONFLICT;
    }
    if (!findings.isEmpty()) {
      return NodeReport.State.PARKED;
    }
    return busy || id.isEmpty() ? NodeReport.State.WAITING : NodeReport.State.ASSIGNED;
  }
}
