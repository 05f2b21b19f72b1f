package io.tidemark.nodecidr.controller;

import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.controller.NodeReport.State;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report of the node of one name; what changes in it goes to Events, metrics and the listener.
 * Confined to the lane of the node, but for {@link #report}.
 */
final class NodeReporter {
  private static final Set<NodeCidrError> NOT_IN_ORDER =
      Set.of(
          NodeCidrError.CIDR_FOREIGN,
          NodeCidrError.CIDR_UNREADABLE,
          NodeCidrError.CIDR_MISMATCH,
          NodeCidrError.CIDR_MODE,
          NodeCidrError.CLOUD_MISMATCH,
          NodeCidrError.FAMILY_OFF);

  private final String name;
  private final ControllerState state;

  /** Present as long as a node is. */
  private volatile @Nullable NodeReport report;

  /** When the present incarnation was seen first. */
  private long seenNanos;

  NodeReporter(String name, ControllerState state) {
    this.name = name;
    this.state = state;
  }

  Optional<NodeReport> report() {
    return Optional.ofNullable(report);
  }

  /** An incarnation is seen for the first time. */
  void seen() {
    seenNanos = state.parts().now();
  }

  /** The incarnation is gone: its problems are solved. */
  void gone() {
    NodeReport last = report;
    if (last != null) {
      last.matters().forEach(each -> state.parts().events().cleared(name, each.code()));
    }
    report = null;
    state.changed(name);
  }

  boolean hasConflict() {
    NodeReport last = report;
    return last != null
        && last.matters().stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_CONFLICT);
  }

  /** It has these CIDRs, in order or not. */
  void has(NodeOwner owner, List<Matter> matters, List<Cidr> cidrs) {
    State found = State.ASSIGNED;
    if (matters.stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_CONFLICT)) {
      found = State.CONFLICT;
    } else if (matters.stream().anyMatch(each -> NOT_IN_ORDER.contains(each.code()))) {
      found = State.FOREIGN;
    }
    publish(owner, found, cidrs, matters);
  }

  void publish(NodeOwner owner, State next, List<Cidr> cidrs, List<Matter> matters) {
    NodeReport before = report;
    long now = state.parts().now();
    long since = before != null && before.state() == next ? before.sinceNanos() : now;
    NodeReport after = new NodeReport(owner, cidrs, next, matters, seenNanos, since);
    report = after;
    if (!after.equals(before)) {
      state.changed(name);
    }
    Map<NodeCidrError, String> open = texts(matters);
    Map<NodeCidrError, String> known = before == null ? Map.of() : texts(before.matters());
    for (NodeCidrError code : known.keySet()) {
      if (!open.containsKey(code)) {
        state.parts().events().cleared(name, code);
      }
    }
    open.forEach(
        (code, detail) -> {
          if (!detail.equals(known.get(code))) {
            state.parts().events().report(name, code, detail);
          }
        });
    if (next != State.WAITING) {
      state.parts().events().found(name, open);
    }
    if (before != null && before.lacksCidrs() && next == State.ASSIGNED) {
      state
          .parts()
          .metrics()
          .record(Metric.NODE_CIDR_ASSIGNMENT, Duration.ofNanos(now - seenNanos));
    }
  }

  private static Map<NodeCidrError, String> texts(List<Matter> matters) {
    return matters.stream()
        .collect(Collectors.toMap(Matter::code, Matter::detail, (a, b) -> a + "; " + b));
  }
}
