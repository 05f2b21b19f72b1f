package io.tidemark.resilience;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ends work at its context's deadline or cancellation. Thread-safe. */
final class Leash {
  private final TaskScheduler scheduler;
  private final CallContext context;
  private volatile boolean released;
  private volatile @Nullable Cancellable timer;
  private volatile @Nullable Cancellable listener;

  Leash(TaskScheduler scheduler, CallContext context) {
    this.scheduler = scheduler;
    this.context = context;
  }

  /** Why work of {@code context} may not even begin, or null when it may. */
  static @Nullable StopCause forbids(CallContext context, long nanos) {
    if (context.isCancelled()) {
      return StopCause.CANCELLED;
    }
    return context.deadlineNanos() - nanos <= 0 ? StopCause.DEADLINE : null;
  }

  /** Calls {@code stop} when the time has come; called once. */
  void hold(Consumer<StopCause> stop) {
    if (released) {
      return;
    }
    timer = scheduler.at(context.deadlineNanos(), () -> stop.accept(StopCause.DEADLINE));
    listener = context.cancellation().onCancel(() -> stop.accept(StopCause.CANCELLED));
    if (released) {
      letGo();
    }
  }

  /** The work has ended. */
  void release() {
    released = true;
    letGo();
  }

  private void letGo() {
    cancel(timer);
    cancel(listener);
  }

  private static void cancel(@Nullable Cancellable pending) {
    if (pending != null) {
      pending.cancel();
    }
  }
}
