package io.tidemark.resilience;

import java.util.concurrent.CompletionStage;

/** A place in the queue for a token. Thread-safe. */
public interface Admission {
  /**
   * Ends with a context that carries the token, or with a failure: {@link Failure.Kind#CANCELLED},
   * {@link Failure.Kind#THROTTLED} when the deadline passed while waiting, {@link
   * Failure.Kind#TRANSIENT} while the breaker is open.
   */
  CompletionStage<CallResult<CallContext>> stage();

  /** Moves the place according to a new urgency; the time already waited still counts. */
  void reprioritize(Priority priority);

  /** Leaves the queue at once; a token that was already granted is given back. Idempotent. */
  void cancel();
}
