package io.tidemark.nodeid.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The state of one node.
 *
 * @param id the one whose claim it holds
 * @param next the one that is being claimed for it
 * @param findings open problems
 * @param sinceNanos when it came into this state, by the clock of the scheduler
 */
public record IdNodeReport(
    String node,
    Optional<NodeId> id,
    Optional<NodeId> next,
    State state,
    List<NodeProblem> findings,
    long sinceNanos) {
  public enum State {
    /** It has an id and shows it. */
    ASSIGNED,
    /** It does not show its id yet, and something is done about it. */
    WAITING,
    /** It gets no id before something changes; a finding says what. */
    PARKED,
    /** Another node has or shows its id. */
    CONFLICT;

    static State of(List<NodeProblem> findings, boolean waits) {
      if (findings.stream().anyMatch(each -> each.code() == NodeIdError.NODE_ID_CONFLICT)) {
        return CONFLICT;
      }
      return findings.isEmpty() ? (waits ? WAITING : ASSIGNED) : PARKED;
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
