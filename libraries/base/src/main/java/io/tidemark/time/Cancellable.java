package io.tidemark.time;

/** A pending registration that can be withdrawn. Thread-safe and idempotent. */
@FunctionalInterface
public interface Cancellable {
  /** Withdraws it; true when it had neither run nor been withdrawn before. */
  boolean cancel();
}
