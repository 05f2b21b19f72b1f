package io.tidemark.provider.kit.start;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The door to a cloud behind its start: the first requests wait for it, each until its own deadline
 * at most; a start that failed fails the requests that waited.
 */
public final class StartupGate implements CloudCalls {
  private final Startup<?> start;
  private final CloudCalls calls;
  private final TaskScheduler scheduler;

  public StartupGate(Startup<?> start, CloudCalls calls, TaskScheduler scheduler) {
    this.start = start;
    this.calls = calls;
    this.scheduler = scheduler;
  }

  @Override
  public Admission admit(List<CallKind> anyOf, CallContext context) {
    return calls.admit(anyOf, context);
  }

  @Override
  public <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf) {
    return start.isDone()
        ? calls.call(kind, context, leaf)
        : new Waiting<T>(context, () -> calls.call(kind, context, leaf)).begin();
  }

  private final class Waiting<T> {
    private final CallContext context;
    private final Supplier<CompletionStage<CallResult<T>>> request;
    private final CompletableFuture<Optional<Failure>> turn = new CompletableFuture<>();

    Waiting(CallContext context, Supplier<CompletionStage<CallResult<T>>> request) {
      this.context = context;
      this.request = request;
    }

    CompletionStage<CallResult<T>> begin() {
      Cancellable deadline =
          scheduler.at(context.deadlineNanos(), () -> giveUp("still starting at the deadline"));
      Cancellable listener = context.cancellation().onCancel(() -> giveUp("cancelled"));
      start.begin().thenAccept(started -> turn.complete(started.refusal()));
      return turn.thenCompose(
          failure -> {
            deadline.cancel();
            listener.cancel();
            return failure.isEmpty() ? request.get() : fail(failure.get());
          });
    }

    private void giveUp(String why) {
      turn.complete(Optional.of(Failure.of(Failure.Kind.CANCELLED, "starting", why)));
    }

    private CompletionStage<CallResult<T>> fail(Failure failure) {
      context.giveBackToken();
      return CallResult.failed(failure);
    }
  }
}
