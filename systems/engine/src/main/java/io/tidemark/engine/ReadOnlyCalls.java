package io.tidemark.engine;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A cloud door that lets reads pass alone. No token is ever granted, so a pass stays at its plan,
 * which is what can then be explained.
 */
final class ReadOnlyCalls implements CloudCalls {
  private final CloudCalls calls;
  private final TaskScheduler scheduler;

  ReadOnlyCalls(CloudCalls calls, TaskScheduler scheduler) {
    this.calls = calls;
    this.scheduler = scheduler;
  }

  @Override
  public Admission admit(List<CallKind> anyOf, CallContext context) {
    return new NeverGranted(context);
  }

  @Override
  public <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf) {
    return kind.effect() == CallKind.Effect.READ
        ? calls.call(kind, context, leaf)
        : CompletableFuture.completedStage(new CallResult.Failed<>(refusal(kind.name())));
  }

  private static Failure refusal(String operation) {
    return Failure.of(
        Failure.Kind.CANCELLED, "readOnly", operation + " was not sent: nothing is changed");
  }

  /** Waits until its work is cancelled or out of time. */
  private final class NeverGranted implements Admission {
    private final CompletableFuture<CallResult<CallContext>> end = new CompletableFuture<>();

    NeverGranted(CallContext context) {
      scheduler.at(context.deadlineNanos(), this::cancel);
      context.cancellation().onCancel(this::cancel);
    }

    @Override
    public CompletionStage<CallResult<CallContext>> stage() {
      return end.minimalCompletionStage();
    }

    @Override
    public void reprioritize(Priority priority) {
      // a read-only run serves no queue
    }

    @Override
    public void cancel() {
      end.complete(new CallResult.Failed<>(refusal("a change")));
    }
  }
}
