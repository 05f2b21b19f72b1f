package io.tidemark.time;

import java.util.concurrent.CompletionStage;

/**
 * One request that was handed to an {@link EffectRunner}. Thread-safe.
 *
 * @param <T> what the request answers
 */
public interface Effect<T> {
  /**
   * Ends with the answer, or exceptionally with what the leaf threw (never wrapped), with {@link
   * java.util.concurrent.TimeoutException} when no answer came in time, or with {@link
   * java.util.concurrent.CancellationException} after {@link #interrupt()}. Only a leaf that never
   * started guarantees that nothing happened outside; see {@link #started()}.
   */
  CompletionStage<T> stage();

  /** Gives up: a leaf that did not start never will; one on the wire is interrupted. Idempotent. */
  void interrupt();

  /** Whether the leaf was handed to a thread, so that the request may have left. */
  boolean started();
}
