package io.tidemark.node;

import io.tidemark.error.CoreError;
import io.tidemark.resilience.Failure;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a provider to its promise: whatever it does, the stage ends. What it throws, and an answer
 * that is not there by the deadline, end the stage exceptionally; the caller takes both for a lost
 * answer (docs/architecture.md).
 */
final class ProviderCall {
  /** A promise kept at the last moment may arrive a little late. */
  private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Logger LOG = LoggerFactory.getLogger(ProviderCall.class);

  private ProviderCall() {}

  /**
   * The failure that an exceptional end counts as; logged, because it is a defect of the provider.
   */
  static Failure brokenPromise(Failure.Kind kind, Throwable thrown) {
    CoreError code = CoreError.PROVIDER_BROKE_CONTRACT;
    LOG.error(
        "{} {}: it failed instead of answering. {}", code.label(), code, code.remedy(), thrown);
    return Failure.of(
        kind,
        "providerFailed",
        code.label() + " " + code + ": failed instead of answering: " + thrown);
  }

  /** Calls the provider; the stage ends a second after {@code deadlineNanos} at the latest. */
  static <T> CompletionStage<T> until(
      long deadlineNanos, TaskScheduler scheduler, Supplier<CompletionStage<T>> call) {
    CompletionStage<T> stage;
    try {
      stage = call.get();
    } catch (RuntimeException thrown) {
      return CompletableFuture.failedStage(thrown);
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    Cancellable timer =
        scheduler.at(
            deadlineNanos + GRACE_NANOS,
            () ->
                answer.completeExceptionally(
                    new TimeoutException("the provider did not answer by the deadline")));
    stage.whenComplete(
        (value, thrown) -> {
          timer.cancel();
          if (thrown == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(thrown);
          }
        });
    return answer;
  }
}
