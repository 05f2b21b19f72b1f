package io.tidemark.resilience;

import io.tidemark.resilience.CallContext.Arrival;
import io.tidemark.resilience.CallLayer.StopCause;
import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An admission that waits in the queues of several kinds. */
final class QueuedAdmission extends Waiter implements Admission {
  private final CallContext context;
  private final Arrival arrival;
  private final TaskScheduler scheduler;
  private final CircuitBreakers breakers;
  private final DeadlineGuard guard;
  private final CompletableFuture<CallResult<CallContext>> stage = new CompletableFuture<>();
  private volatile boolean unwanted;
  private volatile @Nullable Permit held;

  private QueuedAdmission(
      CallContext context, Arrival arrival, TaskScheduler scheduler, CircuitBreakers breakers) {
    super(context.deadlineNanos());
    this.context = context;
    this.arrival = arrival;
    this.scheduler = scheduler;
    this.breakers = breakers;
    this.guard = new DeadlineGuard(scheduler, context);
  }

  /** Queues in all of {@code queues}, of which there is one at least. */
  static Admission among(
      List<TokenQueue> queues,
      CallContext context,
      Arrival arrival,
      TaskScheduler scheduler,
      CircuitBreakers breakers) {
    QueuedAdmission admission = new QueuedAdmission(context, arrival, scheduler, breakers);
    boolean queued = admission.enter(queues, arrival, context.priority());
    if (!queued && admission.claim()) {
      return Admission.refused(LocalFailures.queueFull(admission));
    }
    if (!admission.stage.isDone()) {
      admission.guard.watch(admission::stop);
    }
    return admission;
  }

  @Override
  void granted(Permit permit) {
    StopCause stopped = unwanted ? StopCause.CANCELLED : null;
    if (stopped == null) {
      stopped = DeadlineGuard.stopCause(context, scheduler.time().nanos());
    }
    if (stopped != null) {
      permit.giveBack();
      end(LocalFailures.notAdmitted(this, stopped));
    } else if (breakers.isOpen(permit.kind())) {
      permit.giveBack();
      end(LocalFailures.circuitOpen(this));
    } else {
      held = permit;
      end(new CallResult.Answered<>(context.admitted(permit, arrival)));
      if (unwanted) {
        permit.giveBack();
      }
    }
  }

  private void stop(StopCause cause) {
    if (claim()) {
      giveUp();
      end(LocalFailures.notAdmitted(this, cause));
    }
  }

  private void end(Failure failure) {
    end(new CallResult.Failed<>(failure));
  }

  private void end(CallResult<CallContext> result) {
    guard.release();
    stage.complete(result);
  }

  @Override
  public CompletionStage<CallResult<CallContext>> stage() {
    return stage;
  }

  @Override
  public void reprioritize(Priority priority) {
    move(priority);
  }

  @Override
  public void cancel() {
    unwanted = true;
    stop(StopCause.CANCELLED);
    Permit granted = held;
    if (granted != null) {
      granted.giveBack();
    }
  }

  /** For messages: with the node, where the work has one. */
  static String name(CallContext context) {
    return context.node().isEmpty() ? "admission" : "admission[" + context.node() + "]";
  }

  @Override
  public String toString() {
    return name(context);
  }
}
