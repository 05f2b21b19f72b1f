package io.tidemark.provider.kit.start;

import io.tidemark.provider.kit.SharedWork;
import io.tidemark.resilience.CallResult;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The facts that must be known before the first request. Concurrent callers share one discovery;
 * after a failure the next caller begins another. Thread-safe.
 */
public final class Startup<T> {
  private final SharedWork<T> discovery;
  private volatile Optional<T> known = Optional.empty();

  /**
   * Nothing is asked yet.
   *
   * @param discovery asks; each call begins anew, and ends within the time of a few requests
   */
  public Startup(Supplier<CompletionStage<CallResult<T>>> discovery) {
    this.discovery = new SharedWork<>(() -> discovery.get().thenApply(this::ended));
  }

  /** Whether there is nothing left to ask. */
  public boolean isDone() {
    return known.isPresent();
  }

  /** The result, once it is known; never completes exceptionally. */
  public CompletionStage<CallResult<T>> begin() {
    return discovery.join(() -> known);
  }

  /**
   * The discovered facts; for requests of {@link StartupGate}, which are sent after it.
   *
   * @throws IllegalStateException before the discovery
   */
  public T known() {
    return known.orElseThrow(() -> new IllegalStateException("asked before the start"));
  }

  private CallResult<T> ended(CallResult<T> result) {
    known = result.answer();
    return result;
  }
}
