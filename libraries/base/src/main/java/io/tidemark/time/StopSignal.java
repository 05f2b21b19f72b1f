package io.tidemark.time;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Requests that the running program end; for SIGTERM, SIGINT and tests. Thread-safe. */
public final class StopSignal {
  private final CompletableFuture<Void> requested = new CompletableFuture<>();
  private volatile Optional<Duration> needed = Optional.empty();

  /** Requests the end; further calls do nothing. */
  public void request() {
    requested.complete(null);
  }

  /**
   * The program has work to end in order: from a request on it needs this long at most. A process
   * waits that long for it, however much less it waits for other programs.
   */
  public void needs(Duration longest) {
    needed = Optional.of(longest);
  }

  /** The last argument of {@link #needs}; empty when it was not called. */
  Optional<Duration> needed() {
    return needed;
  }

  /** Ends when the stop is requested, at once when it was. */
  public CompletionStage<Void> requested() {
    return requested.minimalCompletionStage();
  }

  /** Blocks the caller, a program's main thread, until the stop is requested. */
  public void await() throws InterruptedException {
    try {
      requested.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a signal does not fail", e);
    }
  }
}
