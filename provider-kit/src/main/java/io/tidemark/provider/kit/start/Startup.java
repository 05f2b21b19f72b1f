package io.tidemark.provider.kit.start;

import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What must be known before the first request. Concurrent callers share one discovery; after a
 * failure the next caller begins another. Thread-safe.
 *
 * @param <T> what is discovered
 */
public final class Startup<T> {
  private final Supplier<CompletionStage<CallResult<T>>> discovery;
  private final Object lock = new Object();
  private @Nullable CompletableFuture<CallResult<T>> underWay;
  private volatile Optional<T> known = Optional.empty();

  /**
   * Nothing is asked yet.
   *
   * @param discovery asks; each call begins anew, and ends within the time of a few requests
   */
  public Startup(Supplier<CompletionStage<CallResult<T>>> discovery) {
    this.discovery = discovery;
  }

  /** Whether there is nothing left to ask. */
  public boolean isDone() {
    return known.isPresent();
  }

  /** The result, once it is known; never completes exceptionally. */
  public CompletionStage<CallResult<T>> begin() {
    CompletableFuture<CallResult<T>> mine = new CompletableFuture<>();
    synchronized (lock) {
      if (known.isPresent()) {
        return CallResult.answered(known.get());
      }
      if (underWay != null) {
        return underWay;
      }
      underWay = mine;
    }
    discovery
        .get()
        .whenComplete(
            (result, thrown) ->
                mine.complete(
                    ended(
                        thrown == null
                            ? result
                            : new CallResult.Failed<>(
                                Failure.of(
                                    Failure.Kind.TRANSIENT, "start", String.valueOf(thrown))))));
    return mine;
  }

  /**
   * What was discovered; for requests of {@link StartupGate}, which are sent after it.
   *
   * @throws IllegalStateException before the discovery
   */
  public T known() {
    return known.orElseThrow(() -> new IllegalStateException("asked before the start"));
  }

  private CallResult<T> ended(CallResult<T> result) {
    synchronized (lock) {
      underWay = null;
      known = result.answer();
    }
    return result;
  }
}
