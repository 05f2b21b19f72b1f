package io.tidemark.time;

/**
 * Thrown by the leaf of a simulated cloud that does not answer: the effect stays open until its
 * timeout, and no thread waits for it. A real client never throws it.
 */
public final class NeverAnswers extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** No answer because of {@code reason}, for people. */
  public NeverAnswers(String reason) {
    super(reason, null, false, false);
  }
}
