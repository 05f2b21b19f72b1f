package io.tidemark.resilience;

import io.tidemark.resilience.CallLayer.StopCause;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Repeats a read until a long-running operation has ended. Holds no thread while it waits. After a
 * transient failure (a throttle, a transient error, a lost response) it reads again after the last
 * named pause, or later if the cloud requests that; any other failure ends the poll.
 *
 * @param <T> the result of the operation
 */
public final class Poll<T> {
  /** The pause after a failure while no response has named one. */
  private static final Duration USUAL_PAUSE = Duration.ofSeconds(1);

  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final CallKind kind;
  private final CallContext context;
  private final LongSupplier firstNanos;
  private final CloudCalls.Leaf<Polled<T>> leaf;
  private final DeadlineGuard guard;
  private final CompletableFuture<CallResult<T>> stage = new CompletableFuture<>();
  private final AtomicBoolean waiting = new AtomicBoolean();
  private volatile Cancellable timer = () -> false;
  private volatile Duration pause = USUAL_PAUSE;

  /**
   * The result of one read.
   *
   * @param value the operation's result; empty while it runs
   * @param after the pause before the next read, above zero while the operation runs
   */
  public record Polled<T>(Optional<T> value, Duration after) {
    public Polled {
      if (value.isEmpty() && (after.isNegative() || after.isZero())) {
        throw new IllegalArgumentException(
            "the next read is after " + after + "; expected above 0");
      }
    }

    /** The operation has ended. */
    public static <T> Polled<T> done(T value) {
      return new Polled<>(Optional.of(value), Duration.ZERO);
    }

    /** The operation runs: read again after this time. */
    public static <T> Polled<T> again(Duration after) {
      return new Polled<>(Optional.empty(), after);
    }
  }

  private Poll(
      CloudCalls calls,
      TaskScheduler scheduler,
      CallKind kind,
      CallContext context,
      LongSupplier firstNanos,
      CloudCalls.Leaf<Polled<T>> leaf) {
    this.calls = calls;
    this.scheduler = scheduler;
    this.kind = kind;
    this.context = context;
    this.firstNanos = firstNanos;
    this.leaf = leaf;
    this.guard = new DeadlineGuard(scheduler, context);
  }

  /**
   * Starts polling. The stage completes by the context's deadline, as soon as no further read fits
   * before it, and never exceptionally.
   *
   * @param firstNanos monotonic instant of the first read; asked again at that instant, and the
   *     read is put off if the answer is a later one by then
   * @param leaf one read of the operation's state
   */
  public static <T> CompletionStage<CallResult<T>> start(
      CloudCalls calls,
      TaskScheduler scheduler,
      CallKind kind,
      CallContext context,
      LongSupplier firstNanos,
      CloudCalls.Leaf<Polled<T>> leaf) {
    Poll<T> poll = new Poll<>(calls, scheduler, kind, context, firstNanos, leaf);
    poll.first();
    if (!poll.stage.isDone()) {
      poll.guard.watch(poll::stop);
    }
    return poll.stage;
  }

  private void first() {
    long wait = firstNanos.getAsLong() - scheduler.time().nanos();
    if (wait <= 0) {
      read();
    } else {
      readAfter(Duration.ofNanos(wait), LocalFailures.pollTimeout(kind), this::first);
    }
  }

  private void read() {
    calls.call(kind, context, leaf).thenAccept(this::answered);
  }

  private void answered(CallResult<Polled<T>> result) {
    if (result instanceof CallResult.Answered<Polled<T>> answered) {
      Polled<T> polled = answered.value();
      if (polled.value().isPresent()) {
        end(new CallResult.Answered<>(polled.value().get()));
      } else {
        pause = polled.after();
        readAfter(pause, LocalFailures.pollTimeout(kind), this::read);
      }
    } else if (result instanceof CallResult.Failed<Polled<T>> failed) {
      Failure failure = failed.failure();
      switch (failure.kind()) {
        case THROTTLED, TRANSIENT, LOST ->
            readAfter(later(failure.retryAfter()), failure, this::read);
        default -> end(new CallResult.Failed<>(failure));
      }
    }
  }

  private Duration later(Optional<Duration> asked) {
    return asked.filter(span -> span.compareTo(pause) > 0).orElse(pause);
  }

  private void readAfter(Duration delay, Failure otherwise, Runnable then) {
    long now = scheduler.time().nanos();
    long left = context.deadlineNanos() - now;
    if (context.isCancelled()) {
      end(new CallResult.Failed<>(LocalFailures.cancelled(kind)));
    } else if (delay.compareTo(Duration.ofNanos(left)) >= 0) {
      end(new CallResult.Failed<>(otherwise));
    } else {
      waiting.set(true);
      timer = scheduler.at(now + delay.toNanos(), () -> resume(then));
      if (context.isCancelled()) {
        stop(StopCause.CANCELLED);
      }
    }
  }

  private void resume(Runnable then) {
    if (waiting.compareAndSet(true, false)) {
      then.run();
    }
  }

  /** Ends a pause; a read in flight ends by itself. */
  private void stop(StopCause cause) {
    if (waiting.compareAndSet(true, false)) {
      timer.cancel();
      end(
          new CallResult.Failed<>(
              cause == StopCause.CANCELLED
                  ? LocalFailures.cancelled(kind)
                  : LocalFailures.pollTimeout(kind)));
    }
  }

  private void end(CallResult<T> result) {
    guard.release();
    stage.complete(result);
  }
}
