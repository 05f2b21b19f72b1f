package io.tidemark.operator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the running command to end; for SIGTERM, SIGINT and tests. Thread-safe. */
final class StopSignal {
  private final CompletableFuture<Void> requested = new CompletableFuture<>();

  /** Asks; the second and further calls do nothing. */
  void request() {
    requested.complete(null);
  }

  /** Ends when somebody asked, at once when that already happened. */
  CompletionStage<Void> requested() {
    return requested.minimalCompletionStage();
  }
}
