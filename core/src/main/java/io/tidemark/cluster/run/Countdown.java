package io.tidemark.cluster.run;

import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The time that an end in order may take, from when it is made. Its waiting blocks the program's
 * main thread; the looking is the timer's.
 */
public final class Countdown {
  private static final Duration LOOK = Duration.ofMillis(10);

  private final TaskScheduler timer;
  private final long deadline;

  /** From now on. */
  public Countdown(TaskScheduler timer, Duration bound) {
    this.timer = timer;
    this.deadline = timer.time().nanos() + bound.toNanos();
  }

  /** The remaining time; zero when it is over. */
  public Duration left() {
    return left(deadline);
  }

  /** Whether it came true with {@code spare} or more still left. */
  public boolean awaitTrue(BooleanSupplier holds, Duration spare) throws InterruptedException {
    CompletableFuture<Boolean> came = new CompletableFuture<>();
    look(holds, came, deadline - spare.toNanos());
    return await(came, spare);
  }

  /** Whether the stage ended with {@code spare} or more still left. */
  public boolean await(CompletionStage<?> stage, Duration spare) throws InterruptedException {
    try {
      stage
          .toCompletableFuture()
          .get(left(deadline - spare.toNanos()).toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the end failed", e);
    }
  }

  private void look(BooleanSupplier holds, CompletableFuture<Boolean> came, long until) {
    if (holds.getAsBoolean()) {
      came.complete(true);
    } else if (!left(until).isZero()) {
      timer.after(LOOK, () -> look(holds, came, until));
    }
  }

  private Duration left(long until) {
    return Duration.ofNanos(Math.max(0, until - timer.time().nanos()));
  }
}
