package io.tidemark.operator;

import io.tidemark.operator.wiring.Engine;
import io.tidemark.operator.wiring.EngineSetup;
import io.tidemark.operator.wiring.Standby;
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
import java.util.function.Function;

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
    ExitCode tell(Engine engine, T answer, Duration left) throws IOException;
  }

  /**
   * Waits no longer than {@code timeout} for nodes, start and answer together, and says so when
   * that was too short, with what stands in the way. For the main thread.
   *
   * @param question asked when all was read
   */
  static <T> ExitCode ask(
      EngineSetup setup,
      Function<Engine, CompletionStage<T>> question,
      Telling<T> telling,
      Duration timeout,
      Surroundings surroundings)
      throws InterruptedException, ExecutionException, IOException {
    try (Standby standby = Standby.open(setup)) {
      TimeSource time = standby.timer().time();
      long deadline = time.nanos() + timeout.toNanos();
      Standby.Turn read = standby.awaitRead(surroundings.stop(), timeout);
      if (read != Standby.Turn.OURS) {
        return read == Standby.Turn.STOPPED
            ? ExitCode.FAILURE
            : outOfTime(standby, timeout, surroundings);
      }
      try (Engine engine = standby.engine()) {
        Optional<T> answer =
            answer(engine, question, Duration.ofNanos(deadline - time.nanos()), surroundings);
        return answer.isEmpty()
            ? ExitCode.FAILURE
            : telling.tell(
                engine, answer.get(), Duration.ofNanos(Math.max(0, deadline - time.nanos())));
      } catch (TimeoutException e) {
        return outOfTime(standby, timeout, surroundings);
      }
    }
  }

  /** Empty when the program was told to end. */
  private static <T> Optional<T> answer(
      Engine engine,
      Function<Engine, CompletionStage<T>> question,
      Duration limit,
      Surroundings surroundings)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Optional<T>> end = new CompletableFuture<>();
    Object unusedStop =
        surroundings.stop().requested().thenRun(() -> end.complete(Optional.empty()));
    Object unusedAnswer =
        engine
            .start()
            .thenCompose(worked -> question.apply(engine))
            .whenComplete(
                (answer, thrown) -> {
                  if (thrown == null) {
                    end.complete(Optional.of(answer));
                  } else {
                    end.completeExceptionally(thrown);
                  }
                });
    return end.get(Math.max(0, limit.toNanos()), TimeUnit.NANOSECONDS);
  }

  private static ExitCode outOfTime(Standby standby, Duration timeout, Surroundings surroundings) {
    List<String> trouble = standby.trouble();
    surroundings
        .console()
        .note(
            "tidemark: nodes and cloud were not read within "
                + timeout.toSeconds()
                + " s"
                + (trouble.isEmpty() ? "" : ": " + String.join("; ", trouble)));
    return ExitCode.TIMEOUT;
  }
}
