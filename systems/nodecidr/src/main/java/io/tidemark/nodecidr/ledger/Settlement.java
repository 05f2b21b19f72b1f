package io.tidemark.nodecidr.ledger;

/** The meaning of the result of a write: the reservation in its new state, and what to do. */
public record Settlement(Reservation reservation, Next next) {
  public enum Next {
    /** Nothing. */
    DONE,
    /** Write the same blocks again, after a pause. */
    REPEAT,
    /** Report the refusal, and try again after a long pause or when something has changed. */
    PARK
  }
}
