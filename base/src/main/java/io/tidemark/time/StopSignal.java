package io.tidemark.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Requests that the running program end; for SIGTERM, SIGINT and tests. Thread-safe. */
public final class StopSignal {
  private final CompletableFuture<Void> requested = new CompletableFuture<>();

  /** Requests the end; further calls do nothing. */
  public void request() {
    requested.complete(null);
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
