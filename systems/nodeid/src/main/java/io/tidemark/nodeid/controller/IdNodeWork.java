package io.tidemark.nodeid.controller;

import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.cluster.run.KeyedReconciler.End;
import io.tidemark.cluster.run.KeyedReconciler.Request;
import io.tidemark.cluster.run.KeyedReconciler.Rest;
import io.tidemark.cluster.run.KeyedReconciler.Step;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.claim.IdFinding;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdStep;
import io.tidemark.nodeid.controller.StepRequests.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The work for one name: the steps of the ledger as requests, and the report. Confined to its
 * queue, but for what is asked of it.
 */
final class IdNodeWork implements KeyedReconciler.Item {
  final String name;
  private final NodeIdParts parts;
  private final IdLedger ledger;
  private final StepRequests requests;
  private final Progress progress;
  private final Runnable told;
  private final Consumer<String> changed;
  private final Set<NodeIdError> reported = EnumSet.noneOf(NodeIdError.class);
  private OptionalLong seenNanos = OptionalLong.empty();
  private volatile Optional<IdNodeReport> report = Optional.empty();

  /**
   * Nothing is known of the name.
   *
   * @param told runs when the ledger knows more
   * @param changed takes the name when its report is another one
   */
  IdNodeWork(
      String name,
      NodeIdParts parts,
      IdLedger ledger,
      StepRequests requests,
      Runnable told,
      Consumer<String> changed) {
    this.name = name;
    this.parts = parts;
    this.ledger = ledger;
    this.requests = requests;
    this.progress = new Progress(name);
    this.told = told;
    this.changed = changed;
  }

  @Override
  public boolean isEmpty() {
    return !progress.inFlight && progress.reading.isEmpty() && report.isEmpty();
  }

  /** Whether the last write has no result. */
  boolean hasUnknown() {
    return progress.unknown;
  }

  Optional<IdNodeReport> report() {
    return report;
  }

  @Override
  public Map<String, Step> steps() {
    return progress.inFlight
        ? Map.of()
        : Map.of(name, step(progress.reading.orElseGet(() -> ledger.next(name, parts.now()))));
  }

  private Step step(IdStep step) {
    if (step instanceof IdStep.Rest rest) {
      progress.unknown = false;
      show(rest.findings(), false);
      return new Rest(rest.untilNanos());
    }
    Request request = requests.of(progress, step);
    return new Request(
        request.slots(),
        () -> {
          sending(step);
          return request.send().get().thenApply(end -> () -> ended(end.get()));
        });
  }

  private void sending(IdStep step) {
    boolean present = ledger.isPresent(name);
    if (present && seenNanos.isEmpty()) {
      seenNanos = OptionalLong.of(parts.now());
    }
    if (step instanceof IdStep.Create create && create.again()) {
      reasserts(create.id());
    }
    if (present && report.isEmpty()) {
      show(List.of(), true);
    }
  }

  private void reasserts(NodeId id) {
    if (reported.add(NodeIdError.NODE_ID_REASSERTED)) {
      String lost = "the claim of id " + id + ", which node " + name + " shows, was lost";
      parts.events().report(name, NodeIdError.NODE_ID_REASSERTED, lost + " and is made again");
    }
  }

  private End ended(End end) {
    told.run();
    if (end == End.PARKED) {
      String detail = progress.refused.replaceAll("\\.$", "");
      show(List.of(new IdFinding(NodeIdError.CLAIMS_FORBIDDEN, detail)), false);
    }
    return end;
  }

  /**
   * Shows the findings of now, and reports what is new or solved.
   *
   * @param busy whether something is done about the node
   */
  private void show(List<IdFinding> findings, boolean busy) {
    Set<NodeIdError> open = EnumSet.noneOf(NodeIdError.class);
    for (IdFinding each : findings) {
      open.add(each.code());
      if (reported.add(each.code())) {
        parts.events().report(name, each.code(), each.detail());
      }
    }
    for (NodeIdError each : new ArrayList<>(reported)) {
      if (!open.contains(each) && (each != NodeIdError.NODE_ID_REASSERTED || !busy)) {
        reported.remove(each);
        parts.events().cleared(name, each);
      }
    }
    if (!ledger.isPresent(name)) {
      shown(Optional.empty());
      seenNanos = OptionalLong.empty();
      return;
    }
    Optional<NodeId> id = ledger.id(name);
    IdNodeReport.State now = IdNodeReport.State.of(findings, busy || id.isEmpty());
    long since =
        report
            .filter(before -> before.state() == now)
            .map(IdNodeReport::sinceNanos)
            .orElse(parts.now());
    Optional<NodeId> next = findings.isEmpty() ? ledger.next(name) : Optional.empty();
    shown(Optional.of(new IdNodeReport(name, id, next, now, findings, since)));
    if (now == IdNodeReport.State.ASSIGNED && seenNanos.isPresent()) {
      Duration took = Duration.ofNanos(parts.now() - seenNanos.getAsLong());
      parts.metrics().record(Metric.NODE_ID_CLAIM_DURATION, took);
      seenNanos = OptionalLong.empty();
    }
  }

  private void shown(Optional<IdNodeReport> now) {
    boolean same = now.equals(report);
    report = now;
    if (!same) {
      changed.accept(name);
    }
  }
}
