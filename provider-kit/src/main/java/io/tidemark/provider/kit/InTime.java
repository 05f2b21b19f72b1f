package io.tidemark.provider.kit;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Limits the wait for work that continues after a deadline. */
public final class InTime {
  private InTime() {}

  /** The result of the work, or {@link AllocationOutcome.Unknown} at the deadline. */
  public static CompletionStage<AllocationOutcome> orUnknown(
      CompletionStage<AllocationOutcome> work, long deadlineNanos, TaskScheduler scheduler) {
    return or(
        work,
        deadlineNanos,
        scheduler,
        () ->
            new AllocationOutcome.Unknown(
                Failure.of(Failure.Kind.LOST, "deadline", "still cleaning up at the deadline")));
  }

  /** The result of the work, or what {@code late} tells at the deadline. */
  public static <T> CompletionStage<T> or(
      CompletionStage<T> work, long deadlineNanos, TaskScheduler scheduler, Supplier<T> late) {
    CompletableFuture<T> first = new CompletableFuture<>();
    Cancellable deadline = scheduler.at(deadlineNanos, () -> first.complete(late.get()));
    work.whenComplete(
        (result, thrown) -> {
          deadline.cancel();
          if (thrown == null) {
            first.complete(result);
          } else {
            first.completeExceptionally(thrown);
          }
        });
    return first;
  }
}
