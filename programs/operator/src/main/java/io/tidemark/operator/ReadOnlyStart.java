package io.tidemark.operator;

import io.tidemark.cluster.run.SystemRun;
import io.tidemark.program.ExitCode;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Starts a system that changes nothing, waits until nodes and cloud were read, and asks it. */
final class ReadOnlyStart {
  private ReadOnlyStart() {}

  @FunctionalInterface
  interface Telling<T> {
    /**
     * Prints it.
     *
     * @param left of the time that the command has
     */
    ExitCode tell(T answer, Duration left) throws IOException;
  }

  /**
   * Waits no longer than {@code timeout} for nodes, cloud and answer together, and says so when
   * that was too short, with the reason. For the main thread.
   *
   * @param question asked when all was read
   */
  static <T> ExitCode ask(
      SystemRun<?, ?> system,
      Supplier<CompletionStage<T>> question,
      Telling<T> telling,
      Duration timeout,
      Surroundings surroundings)
      throws InterruptedException, ExecutionException, IOException {
    TimeSource time = SystemTime.instance();
    long deadline = time.nanos() + timeout.toNanos();
    CompletableFuture<Optional<T>> end = new CompletableFuture<>();
    surroundings.stop().requested().thenRun(() -> end.complete(Optional.empty()));
    system
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
      Optional<T> answer = end.get(left(deadline, time).toNanos(), TimeUnit.NANOSECONDS);
      return answer.isEmpty() ? ExitCode.FAILURE : telling.tell(answer.get(), left(deadline, time));
    } catch (TimeoutException e) {
      List<String> reasons = system.unready();
      surroundings
          .console()
          .note(
              "tidemark: nodes and cloud were not read within "
                  + timeout.toSeconds()
                  + " s"
                  + (reasons.isEmpty() ? "" : ": " + String.join("; ", reasons)));
      return ExitCode.TIMEOUT;
    }
  }

  private static Duration left(long deadline, TimeSource time) {
    return Duration.ofNanos(Math.max(0, deadline - time.nanos()));
  }
}
