package io.tidemark.resilience;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Repeats a read until it answers something. What may pass by itself (a throttle, a transient
 * error, a lost answer) only costs a round; anything else ends it.
 */
final class Poll<T> {
  private final CallKind kind;
  private final CallContext context;
  private final Duration every;
  private final TaskScheduler scheduler;
  private final Leash leash;
  private final Supplier<CompletionStage<CallResult<Optional<T>>>> read;
  private final CompletableFuture<CallResult<T>> stage = new CompletableFuture<>();
  private final AtomicBoolean waiting = new AtomicBoolean();
  private volatile Cancellable pause = () -> false;

  Poll(
      CallKind kind,
      CallContext context,
      Duration every,
      TaskScheduler scheduler,
      Supplier<CompletionStage<CallResult<Optional<T>>>> read) {
    this.kind = kind;
    this.context = context;
    this.every = every;
    this.scheduler = scheduler;
    this.leash = new Leash(scheduler, context);
    this.read = read;
  }

  CompletionStage<CallResult<T>> start() {
    round();
    if (!stage.isDone()) {
      leash.hold(this::stop);
    }
    return stage;
  }

  private void round() {
    read.get().thenAccept(this::answered);
  }

  private void answered(CallResult<Optional<T>> result) {
    result.match(
        answer -> {
          if (answer.isPresent()) {
            end(new CallResult.Answered<>(answer.get()));
          } else {
            again(Refusals.pollTimeout(kind));
          }
          return answer;
        },
        failure -> {
          switch (failure.kind()) {
            case THROTTLED, TRANSIENT, LOST -> again(failure);
            default -> end(new CallResult.Failed<>(failure));
          }
          return failure;
        });
  }

  private void again(Failure otherwise) {
    long now = scheduler.time().nanos();
    long left = context.deadlineNanos() - now;
    if (context.isCancelled()) {
      end(new CallResult.Failed<>(Refusals.cancelled(kind)));
    } else if (every.toNanos() >= left) {
      end(new CallResult.Failed<>(otherwise));
    } else {
      waiting.set(true);
      pause = scheduler.at(now + every.toNanos(), this::resume);
      if (context.isCancelled()) {
        stop(StopCause.CANCELLED);
      }
    }
  }

  private void resume() {
    if (waiting.compareAndSet(true, false)) {
      round();
    }
  }

  /** Ends a pause; a read under way ends by itself. */
  private void stop(StopCause cause) {
    if (waiting.compareAndSet(true, false)) {
      pause.cancel();
      end(
          new CallResult.Failed<>(
              cause == StopCause.CANCELLED
                  ? Refusals.cancelled(kind)
                  : Refusals.pollTimeout(kind)));
    }
  }

  private void end(CallResult<T> result) {
    leash.release();
    stage.complete(result);
  }
}
