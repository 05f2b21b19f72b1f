package io.tidemark.cluster.lease;

/** A request about the lease failed; the message is for people. */
public final class LeaseFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean loggedApart;

  /**
   * With the words for people.
   *
   * @param loggedApart whether the connection logs the cause itself, so that the lease need not
   */
  public LeaseFailure(String message, boolean loggedApart, Throwable cause) {
    super(message, cause);
    this.loggedApart = loggedApart;
  }

  boolean isLoggedApart() {
    return loggedApart;
  }
}
