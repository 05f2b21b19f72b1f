package io.tidemark.resilience;

import io.tidemark.time.TaskScheduler;
import java.util.concurrent.atomic.AtomicBoolean;
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
    StopCause no = Leash.forbids(request.context(), scheduler.time().nanos());
    if (no != null) {
      end.accept(
          Ended.byUs(
              no == StopCause.CANCELLED
                  ? Refusals.cancelled(request)
                  : Refusals.deadlinePassed(request)));
      return InFlight.OVER;
    }
    Run<T> run = new Run<>(new Leash(scheduler, request.context()), end);
    InFlight inner = next.start(request, run::ended);
    run.hold(inner);
    return inner;
  }

  private static final class Run<T> {
    private final Leash leash;
    private final Consumer<Ended<T>> end;
    private final AtomicBoolean over = new AtomicBoolean();

    Run(Leash leash, Consumer<Ended<T>> end) {
      this.leash = leash;
      this.end = end;
    }

    void hold(InFlight inner) {
      if (!over.get()) {
        leash.hold(inner::stop);
      }
    }

    void ended(Ended<T> how) {
      if (over.compareAndSet(false, true)) {
        leash.release();
        end.accept(how);
      }
    }
  }
}
