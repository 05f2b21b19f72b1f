package io.tidemark.node;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * At most one pending wake-up of a node: the earliest that was asked for. Used on the node's lane
 * only; the task runs on the scheduler and must post to the lane.
 */
final class NodeTimer {
  private final TaskScheduler scheduler;
  private final Runnable task;
  private @Nullable Cancellable pending;
  private long dueNanos;

  NodeTimer(TaskScheduler scheduler, Runnable task) {
    this.scheduler = scheduler;
    this.task = task;
  }

  /** The earlier of two monotonic instants; {@code candidate} counts when it is after now. */
  static OptionalLong earlier(OptionalLong known, OptionalLong candidate, long now) {
    if (candidate.isEmpty() || candidate.getAsLong() - now <= 0) {
      return known;
    }
    return known.isEmpty() || candidate.getAsLong() - known.getAsLong() < 0 ? candidate : known;
  }

  /** Wakes no later than {@code instant}, where one is given and is still to come. */
  void noLaterThan(OptionalLong instant) {
    if (instant.isEmpty() || instant.getAsLong() - scheduler.time().nanos() <= 0) {
      return;
    }
    long nanos = instant.getAsLong();
    if (pending != null && dueNanos - nanos <= 0) {
      return;
    }
    cancel();
    dueNanos = nanos;
    pending = scheduler.at(nanos, task);
  }

  /** The task has run. */
  void fired() {
    pending = null;
  }

  /** Forgets the wake-up. */
  void cancel() {
    if (pending != null) {
      pending.cancel();
      pending = null;
    }
  }
}
