package io.tidemark.resilience;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A request for a token, which may wait. Thread-safe. */
public interface Admission {
  /**
   * Completes with a context that carries the token, or with a failure: {@link
   * Failure.Kind#CANCELLED}, {@link Failure.Kind#THROTTLED} when the deadline passed while waiting,
   * {@link Failure.Kind#TRANSIENT} while the breaker is open.
   */
  CompletionStage<CallResult<CallContext>> stage();

  /** Changes the urgency; the time already waited still counts. */
  void reprioritize(Priority priority);

  /** Leaves the queue at once; a token that was already granted is returned. Idempotent. */
  void cancel();

  /** An admission that has completed already. */
  static Admission refused(Failure failure) {
    CompletionStage<CallResult<CallContext>> end =
        CompletableFuture.completedStage(new CallResult.Failed<>(failure));
    return new Admission() {
      @Override
      public CompletionStage<CallResult<CallContext>> stage() {
        return end;
      }

      @Override
      public void reprioritize(Priority priority) {
        // it does not wait
      }

      @Override
      public void cancel() {
        // it does not wait
      }
    };
  }
}
