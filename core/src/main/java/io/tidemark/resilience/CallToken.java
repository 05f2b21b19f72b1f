package io.tidemark.resilience;

/** A place in a bucket that was granted and not used yet. Thread-safe. */
public interface CallToken {
  /** The kind of request it admits. */
  CallKind kind();

  /**
   * Takes the token for a request that is sent now; true for exactly one caller, false when it was
   * taken or given back before.
   */
  boolean take();

  /** Gives the token back unused, so that the next waiter gets it. Idempotent. */
  void giveBack();
}
