package io.tidemark.daemon.cni;

/** How an ADD ended. */
sealed interface AddOutcome {
  /** With these addresses, which are on disk. */
  record Granted(Attachment attachment) implements AddOutcome {}

  /** Nothing is attached. */
  record Refused(CniFailure failure) implements AddOutcome {}
}
