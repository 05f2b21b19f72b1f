package io.tidemark.resilience;

import io.tidemark.time.TaskScheduler;
import java.util.function.Consumer;

/** Ends a call by its deadline, or at once when its owner cancels it, whatever it is doing. */
final class DeadlineLayer implements CallLayer {
  private final TaskScheduler scheduler;
  private final CallLayer next;

  DeadlineLayer(TaskScheduler scheduler, CallLayer next) {
    this.scheduler = scheduler;
    this.next = next;
  }

  @Override
  public <T> InFlight start(Request<T> request, Consumer<Ended<T>> end) {
    StopCause stopped = DeadlineGuard.stopCause(request.context(), scheduler.time().nanos());
    if (stopped != null) {
      end.accept(Ended.byUs(LocalFailures.notStarted(request, stopped)));
      return InFlight.OVER;
    }
    DeadlineGuard guard = new DeadlineGuard(scheduler, request.context());
    InFlight inner =
        next.start(
            request,
            ended -> {
              guard.release();
              end.accept(ended);
            });
    guard.watch(inner::stop);
    return inner;
  }
}
