package io.tidemark.node;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import org.jspecify.annotations.Nullable;

/**
 * At most one pending wake-up of a node: the earliest that was asked for. Used on the node's lane
 * only; the task runs on the scheduler and must post.
 */
final class Alarm {
  private final TaskScheduler scheduler;
  private final Runnable task;
  private @Nullable Cancellable pending;
  private long dueNanos;

  Alarm(TaskScheduler scheduler, Runnable task) {
    this.scheduler = scheduler;
    this.task = task;
  }

  /** Wakes no later than {@code nanos}. */
  void noLaterThan(long nanos) {
    if (pending != null && dueNanos - nanos <= 0) {
      return;
    }
    cancel();
    dueNanos = nanos;
    pending = scheduler.at(nanos, task);
  }

  /** The task has run. */
  void rang() {
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
