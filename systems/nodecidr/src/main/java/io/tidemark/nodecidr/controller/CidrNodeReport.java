package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The state of one node.
 *
 * @param node name and uid
 * @param cidrs those that it has; of a node that waits, those that are being written to it
 * @param matters open problems, the gravest first
 * @param seenNanos when it was seen first, by the clock of the scheduler
 * @param sinceNanos when it came into this state, by the same
 */
public record CidrNodeReport(
    NodeOwner node,
    List<Cidr> cidrs,
    State state,
    List<NodeProblem> matters,
    long seenNanos,
    long sinceNanos) {
  public enum State {
    /** It has CIDRs, and nothing is wrong with them. */
    ASSIGNED,
    /** It has none, and something is done about it now. */
    WAITING,
    /** It has none, and gets none before something changes; a matter says what. */
    PARKED,
    /** Another node, or an exclusion, has addresses of its CIDRs. */
    CONFLICT,
    /** It has CIDRs that are in no range, cannot be read, or are not where they should be. */
    FOREIGN;

    private static final Set<ErrorCode> NOT_IN_ORDER =
        Set.of(
            NodeCidrError.CIDR_FOREIGN,
            NodeCidrError.CIDR_UNREADABLE,
            NodeCidrError.CIDR_MISMATCH,
            NodeCidrError.CIDR_MODE,
            NodeCidrError.CLOUD_MISMATCH,
            NodeCidrError.FAMILY_OFF);

    /** Of a node that has CIDRs. */
    static State of(List<NodeProblem> matters) {
      if (matters.stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_CONFLICT)) {
        return CONFLICT;
      }
      return matters.stream().anyMatch(each -> NOT_IN_ORDER.contains(each.code()))
          ? FOREIGN
          : ASSIGNED;
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether it waits for CIDRs, now or until something changes. */
  public boolean lacksCidrs() {
    return state == State.WAITING || state == State.PARKED;
  }

  public Optional<NodeProblem> matter() {
    return matters.stream().findFirst();
  }
}
