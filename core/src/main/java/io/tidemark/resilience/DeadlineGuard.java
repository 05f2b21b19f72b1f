package io.tidemark.resilience;

import io.tidemark.resilience.CallLayer.StopCause;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stops work at the deadline or the cancellation of its context. Thread-safe. */
final class DeadlineGuard {
  private final TaskScheduler scheduler;
  private final CallContext context;
  private volatile boolean released;
  private volatile @Nullable Cancellable timer;
  private volatile @Nullable Cancellable listener;

  DeadlineGuard(TaskScheduler scheduler, CallContext context) {
    this.scheduler = scheduler;
    this.context = context;
  }

  /** Why work of {@code context} must not begin at {@code nanos}; null when it may. */
  static @Nullable StopCause stopCause(CallContext context, long nanos) {
    if (context.isCancelled()) {
      return StopCause.CANCELLED;
    }
    return context.deadlineNanos() - nanos <= 0 ? StopCause.DEADLINE : null;
  }

  /** Calls {@code stop} when the time has come, unless the work ends first. Called once. */
  void watch(Consumer<StopCause> stop) {
    if (released) {
      return;
    }
    timer = scheduler.at(context.deadlineNanos(), () -> stop.accept(StopCause.DEADLINE));
    listener = context.cancellation().onCancel(() -> stop.accept(StopCause.CANCELLED));
    if (released) {
      cancelBoth();
    }
  }

  /** The work has ended. */
  void release() {
    released = true;
    cancelBoth();
  }

  private void cancelBoth() {
    cancel(timer);
    cancel(listener);
  }

  private static void cancel(@Nullable Cancellable pending) {
    if (pending != null) {
      pending.cancel();
    }
  }
}
