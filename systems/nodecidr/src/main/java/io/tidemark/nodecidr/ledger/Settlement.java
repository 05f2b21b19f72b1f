package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.NodeProblem;
import java.util.List;

/**
 * The meaning of the result of a write for a reservation.
 *
 * @param reservation in its new state
 * @param next what to do
 * @param findings what is wrong with the CIDRs that the node has
 */
public record Settlement(Reservation reservation, Next next, List<NodeProblem> findings) {
  /** The caller's next action. */
  public enum Next {
    /** Nothing. */
    DONE,
    /** Write the same blocks again, after a pause. */
    REPEAT,
    /** Report the refusal, and try again after a long pause or when something has changed. */
    PARK
  }

  public Settlement {
    findings = List.copyOf(findings);
  }
}
