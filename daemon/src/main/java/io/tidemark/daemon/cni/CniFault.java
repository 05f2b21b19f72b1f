package io.tidemark.daemon.cni;

/** A request that cannot be understood. */
final class CniFault extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient CniFailure failure;

  CniFault(CniFailure failure) {
    super(failure.details());
    this.failure = failure;
  }

  CniFailure failure() {
    return failure;
  }
}
