package io.tidemark.nodeid.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.error.ErrorCode;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdStep;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The report of the node of one name, and its open problems, whose changes go to Events. Confined
 * to the queue of the name, but for {@link #report}.
 */
final class IdReporter {
  private final String name;
  private final ControllerParts parts;
  private final IdLedger ledger;
  private final Consumer<String> changed;
  private final Set<ErrorCode> reported = new LinkedHashSet<>();
  private OptionalLong seenNanos = OptionalLong.empty();
  private volatile Optional<IdNodeReport> report = Optional.empty();

  /** {@code changed} takes the name when its report is another one. */
  IdReporter(String name, ControllerParts parts, IdLedger ledger, Consumer<String> changed) {
    this.name = name;
    this.parts = parts;
    this.ledger = ledger;
    this.changed = changed;
  }

  Optional<IdNodeReport> report() {
    return report;
  }

  void sending(IdStep step) {
    boolean present = ledger.isPresent(name);
    if (present && seenNanos.isEmpty()) {
      seenNanos = OptionalLong.of(parts.now());
    }
    if (step instanceof IdStep.ChangeClaim change
        && change.lost().isPresent()
        && reported.add(NodeIdError.NODE_ID_REASSERTED)) {
      NodeId id = change.lost().get();
      String lost = "the claim of id " + id + ", which node " + name + " shows, was lost";
      parts.events().report(name, NodeIdError.NODE_ID_REASSERTED, lost + " and is made again");
    }
    if (present && report.isEmpty()) {
      show(List.of(), true);
    }
  }

  /** Shows the problems of now; {@code busy} while something is done about the node. */
  void show(List<NodeProblem> findings, boolean busy) {
    Set<ErrorCode> open = new HashSet<>();
    for (NodeProblem each : findings) {
      open.add(each.code());
      if (reported.add(each.code())) {
        parts.events().report(name, each.code(), each.detail());
      }
    }
    for (ErrorCode each : List.copyOf(reported)) {
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
