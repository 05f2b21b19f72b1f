package io.tidemark.provider.kit;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Limits the wait for work that continues after a deadline. */
public final class InTime {
  private InTime() {}

  /** The result of the work, or {@link AllocationOutcome.Unknown} at the deadline. */
  public static CompletionStage<AllocationOutcome> orUnknown(
      CompletionStage<AllocationOutcome> work, long deadlineNanos, TaskScheduler scheduler) {
    CompletableFuture<AllocationOutcome> first = new CompletableFuture<>();
    Cancellable deadline =
        scheduler.at(
            deadlineNanos,
            () ->
                first.complete(
                    new AllocationOutcome.Unknown(
                        Failure.of(
                            Failure.Kind.LOST, "deadline", "still cleaning up at the deadline"))));
    work.whenComplete(
        (outcome, thrown) -> {
          deadline.cancel();
          if (thrown == null) {
            first.complete(outcome);
          } else {
            first.completeExceptionally(thrown);
          }
        });
    return first;
  }
}
