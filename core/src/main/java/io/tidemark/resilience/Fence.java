package io.tidemark.resilience;

/**
 * Whether this process may still change the cloud. Checked on the sending thread, immediately
 * before each change (reliability.md, two leaders); reads always pass. Thread-safe; never blocks.
 */
@FunctionalInterface
public interface Fence {
  /** No other process can act. */
  Fence OPEN = () -> true;

  /** Why a write to the cluster is not sent while the fence is closed, for people. */
  String NO_LEASE = "the lease is not held, so nothing is written";

  /** Whether a change may be sent now. */
  boolean isOpen();
}
