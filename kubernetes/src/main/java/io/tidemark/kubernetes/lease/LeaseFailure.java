package io.tidemark.kubernetes.lease;

import io.tidemark.kubernetes.ApiFailure;

/** A request about the lease failed; the message is for people. */
final class LeaseFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean loggedApart;

  LeaseFailure(ApiFailure failure, Throwable cause) {
    super(failure.text(), cause);
    this.loggedApart = failure.isLoggedApart();
  }

  /** Whether the connection logs the cause itself. */
  boolean isLoggedApart() {
    return loggedApart;
  }
}
