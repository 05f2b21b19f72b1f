package io.tidemark.daemon.cni;

/** How an ADD ended. */
sealed interface Attached {
  /** With these addresses, which are on disk. */
  record Granted(Attachment attachment) implements Attached {}

  /** Nothing is attached. */
  record Refused(CniFailure failure) implements Attached {}
}
