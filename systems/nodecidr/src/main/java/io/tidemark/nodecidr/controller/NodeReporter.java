package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.error.ErrorCode;
import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.controller.CidrStep.Shown;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report of the node of one name; what changes in it goes to Events, metrics and the listener.
 * Confined to the lane of the node, but for {@link #report}.
 */
final class NodeReporter {
  private final String name;
  private final ControllerParts parts;
  private final Consumer<String> changed;

  /** Present as long as a node is. */
  private volatile @Nullable CidrNodeReport report;

  /** When the present incarnation was seen first. */
  private long seenNanos;

  NodeReporter(String name, ControllerParts parts, Consumer<String> changed) {
    this.name = name;
    this.parts = parts;
    this.changed = changed;
  }

  Optional<CidrNodeReport> report() {
    return Optional.ofNullable(report);
  }

  void seen() {
    seenNanos = parts.now();
  }

  /** The incarnation is gone: its problems are solved. */
  void gone() {
    CidrNodeReport last = report;
    if (last != null) {
      last.matters().forEach(each -> parts.events().cleared(name, each.code()));
    }
    report = null;
    changed.accept(name);
  }

  boolean hasConflict() {
    CidrNodeReport last = report;
    return last != null
        && last.matters().stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_CONFLICT);
  }

  void publish(NodeOwner owner, Shown shown) {
    State next = shown.state();
    CidrNodeReport before = report;
    long now = parts.now();
    long since = before != null && before.state() == next ? before.sinceNanos() : now;
    CidrNodeReport after =
        new CidrNodeReport(owner, shown.cidrs(), next, shown.matters(), seenNanos, since);
    report = after;
    if (!after.equals(before)) {
      changed.accept(name);
    }
    Map<ErrorCode, String> open = texts(shown.matters());
    Map<ErrorCode, String> known = before == null ? Map.of() : texts(before.matters());
    for (ErrorCode code : known.keySet()) {
      if (!open.containsKey(code)) {
        parts.events().cleared(name, code);
      }
    }
    open.forEach(
        (code, detail) -> {
          if (!detail.equals(known.get(code))) {
            parts.events().report(name, code, detail);
          }
        });
    if (next != State.WAITING) {
      parts.events().found(name, open);
    }
    if (before != null && before.lacksCidrs() && next == State.ASSIGNED) {
      parts.metrics().record(Metric.NODE_CIDR_ASSIGNMENT, Duration.ofNanos(now - seenNanos));
    }
  }

  private static Map<ErrorCode, String> texts(List<NodeProblem> matters) {
    return matters.stream()
        .collect(Collectors.toMap(NodeProblem::code, NodeProblem::detail, (a, b) -> a + "; " + b));
  }
}
