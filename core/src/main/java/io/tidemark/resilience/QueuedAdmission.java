package io.tidemark.resilience;

import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A place in the queues of several kinds. */
final class QueuedAdmission extends Waiter implements Admission {
  private final CallContext context;
  private final Arrival arrival;
  private final TaskScheduler scheduler;
  private final Leash leash;
  private final CompletableFuture<CallResult<CallContext>> stage = new CompletableFuture<>();
  private volatile boolean unwanted;
  private volatile @Nullable Permit held;

  private QueuedAdmission(CallContext context, Arrival arrival, TaskScheduler scheduler) {
    super(context.deadlineNanos());
    this.context = context;
    this.arrival = arrival;
    this.scheduler = scheduler;
    this.leash = new Leash(scheduler, context);
  }

  /** An admission that has ended before it began. */
  static Admission refused(Failure failure) {
    return new Refused(CompletableFuture.completedFuture(new CallResult.Failed<>(failure)));
  }

  /** Queues in all of {@code queues}, of which there is one at least. */
  static Admission among(
      List<TokenQueue> queues, CallContext context, Arrival arrival, TaskScheduler scheduler) {
    QueuedAdmission admission = new QueuedAdmission(context, arrival, scheduler);
    boolean queued = admission.enter(queues, arrival, context.priority());
    if (!queued && admission.claim()) {
      return refused(Refusals.queueFull(admission));
    }
    if (!admission.stage.isDone()) {
      admission.leash.hold(admission::stop);
    }
    return admission;
  }

  @Override
  void granted(Permit permit) {
    StopCause no = unwanted ? StopCause.CANCELLED : null;
    if (no == null) {
      no = Leash.forbids(context, scheduler.time().nanos());
    }
    if (no != null) {
      permit.giveBack();
      end(refusal(no));
    } else if (BreakerLayer.isOpen(permit.queue().breaker())) {
      permit.giveBack();
      end(Refusals.circuitOpen(this));
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
      end(refusal(cause));
    }
  }

  private Failure refusal(StopCause cause) {
    return cause == StopCause.CANCELLED ? Refusals.cancelled(this) : Refusals.noToken(this);
  }

  private void end(Failure failure) {
    end(new CallResult.Failed<>(failure));
  }

  private void end(CallResult<CallContext> result) {
    leash.release();
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

  private record Refused(CompletionStage<CallResult<CallContext>> stage) implements Admission {
    @Override
    public void reprioritize(Priority priority) {
      // has no place
    }

    @Override
    public void cancel() {
      // has no place
    }
  }
}
