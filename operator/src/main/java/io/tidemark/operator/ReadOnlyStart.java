package io.tidemark.operator;

import io.tidemark.operator.wiring.Engine;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Starts an engine that changes nothing, waits until nodes and cloud were read, and asks it. */
final class ReadOnlyStart {
  private ReadOnlyStart() {}

  /** Tells a person what was answered. */
  @FunctionalInterface
  interface Telling<T> {
    /**
     * Tells it.
     *
     * @param left of the time that the command has
     */
    ExitCode tell(T answer, Duration left) throws IOException;
  }

  /**
   * Waits no longer than {@code timeout} for start and answer together, and says so when that was
   * too short. For the main thread.
   *
   * @param question asked when all was read
   */
  static <T> ExitCode ask(
      Engine engine,
      Supplier<CompletionStage<T>> question,
      Telling<T> telling,
      Duration timeout,
      Surroundings surroundings)
      throws InterruptedException, ExecutionException, IOException {
    TimeSource time = engine.timer().time();
    long deadline = time.nanos() + timeout.toNanos();
    CompletableFuture<Optional<T>> end = new CompletableFuture<>();
    Object unusedStop =
        surroundings.stop().requested().thenRun(() -> end.complete(Optional.empty()));
    Object unusedAnswer =
        engine
            .start()
            .thenCompose(worked -> question.get())
            .whenComplete(
                (answer, thrown) -> {
                  if (thrown == null) {
                    end.complete(Optional.of(answer));
                  } else {
                    end.completeExceptionally(thrown);
                  }
                });
    try {
      Optional<T> answer = end.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return answer.isEmpty()
          ? ExitCode.FAILURE
          : telling.tell(answer.get(), Duration.ofNanos(Math.max(0, deadline - time.nanos())));
    } catch (TimeoutException e) {
      surroundings
          .console()
          .note("tidemark: nodes and cloud were not read within " + timeout.toSeconds() + " s");
      return ExitCode.TIMEOUT;
    }
  }
}
