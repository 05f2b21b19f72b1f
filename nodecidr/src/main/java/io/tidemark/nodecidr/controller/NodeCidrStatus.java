package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.controller.NodeReport.State;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of all nodes and ranges at one moment.
 *
 * @param nodes by name
 * @param ranges in the order of the families
 * @param counts nodes of each state
 * @param paused why no node gets CIDRs now, such as a second allocator; empty when that is not so
 */
public record NodeCidrStatus(
    List<NodeReport> nodes,
    List<RangeUsage> ranges,
    Map<State, Integer> counts,
    Optional<NodeReport.Matter> paused) {
  public NodeCidrStatus {
    nodes = List.copyOf(nodes);
    ranges = List.copyOf(ranges);
    counts = Map.copyOf(counts);
    Objects.requireNonNull(paused, "paused");
  }

  static NodeCidrStatus of(
      List<NodeReport> nodes, List<RangeUsage> ranges, Optional<NodeReport.Matter> paused) {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    for (State state : State.values()) {
      counts.put(state, 0);
    }
    nodes.forEach(each -> counts.merge(each.state(), 1, Integer::sum));
    return new NodeCidrStatus(nodes, ranges, counts, paused);
  }

  /** Nodes of a state. */
  public int count(State state) {
    return Objects.requireNonNull(counts.get(state));
  }
}
