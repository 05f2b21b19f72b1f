package io.tidemark.operator;

import io.tidemark.operator.wiring.Engine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts an engine that changes nothing and waits until nodes and cloud were read. */
final class ReadOnlyStart {
  private ReadOnlyStart() {}

  /** Why there is nothing to tell; empty when all was read. For the main thread. */
  static Optional<ExitCode> await(Engine engine, Duration timeout, Surroundings surroundings)
      throws InterruptedException, ExecutionException {
    CompletableFuture<Optional<ExitCode>> end = new CompletableFuture<>();
    Object unusedStop =
        surroundings.stop().requested().thenRun(() -> end.complete(Optional.of(ExitCode.FAILURE)));
    Object unusedStart =
        engine
            .start()
            .whenComplete(
                (worked, thrown) -> {
                  if (thrown == null) {
                    end.complete(Optional.empty());
                  } else {
                    end.completeExceptionally(thrown);
                  }
                });
    try {
      return end.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      surroundings
          .console()
          .note("tidemark: nodes and cloud were not read within " + timeout.toSeconds() + " s");
      return Optional.of(ExitCode.TIMEOUT);
    }
  }
}
