package io.tidemark.resilience;

/** A token of a bucket that was granted and not used yet. Thread-safe. */
public interface CallToken {
  /** The kind of request it admits. */
  CallKind kind();

  /**
   * Takes the token for a request that is sent now; true for exactly one caller, false when it was
   * taken or returned before.
   */
  boolean take();

  /** Returns the token unused, so that the next waiter gets it. Idempotent. */
  void giveBack();
}
