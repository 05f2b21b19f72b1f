package io.tidemark.daemon.cni;

/** A request is invalid; the answer is its {@link CniFailure}. */
final class InvalidRequestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient CniFailure failure;

  InvalidRequestException(CniFailure failure) {
    super(failure.details());
    this.failure = failure;
  }

  CniFailure failure() {
    return failure;
  }
}
