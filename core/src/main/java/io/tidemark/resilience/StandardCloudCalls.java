package io.tidemark.resilience;

import io.github.resilience4j.retry.Retry;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The door to one account: the order of its layers is in the constructor. */
final class StandardCloudCalls implements CloudCalls {
  private final CallPolicy policy;
  private final Map<CallKind, TokenQueue> queues;
  private final Tickets tickets;
  private final TaskScheduler scheduler;
  private final CallLayer layers;

  /**
   * @param queues one for each kind of the policy
   * @param retries one for each kind of the policy
   */
  StandardCloudCalls(
      CallPolicy policy,
      Map<CallKind, TokenQueue> queues,
      Map<CallKind, Retry> retries,
      Tickets tickets,
      TaskScheduler scheduler,
      EffectRunner runner,
      CloudApiMetrics metrics,
      Fence fence) {
    this.policy = policy;
    this.queues = Map.copyOf(queues);
    this.tickets = tickets;
    this.scheduler = scheduler;
    this.layers =
        new DeadlineLayer(
            scheduler,
            new RetryLayer(
                retries,
                scheduler,
                metrics,
                new BreakerLayer(
                    scheduler.time(),
                    new TokenLayer(
                        scheduler.time(),
                        new WireLayer(runner, scheduler.time(), metrics, fence)))));
  }

  @Override
  public Admission admit(List<CallKind> anyOf, CallContext context) {
    context.giveBackToken();
    StopCause no = Leash.forbids(context, scheduler.time().nanos());
    if (no != null) {
      String what = QueuedAdmission.name(context);
      return QueuedAdmission.refused(
          no == StopCause.CANCELLED ? Refusals.cancelled(what) : Refusals.deadlinePassed(what));
    }
    List<TokenQueue> open = new ArrayList<>(anyOf.size());
    Optional<Failure> refusal = Optional.empty();
    for (CallKind kind : anyOf) {
      TokenQueue queue = queues.get(kind);
      if (queue == null) {
        return QueuedAdmission.refused(Refusals.unknownKind(kind, policy.account()));
      }
      if (!BreakerLayer.mayEnter(queue.breaker())) {
        refusal = Optional.of(Refusals.circuitOpen(kind));
      } else if (!open.contains(queue)) {
        open.add(queue);
      }
    }
    if (open.isEmpty()) {
      return QueuedAdmission.refused(refusal.orElseGet(Refusals::nothingAsked));
    }
    return QueuedAdmission.among(open, context, tickets.arrival(), scheduler);
  }

  @Override
  public <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf) {
    TokenQueue queue = queues.get(kind);
    CallLimits limits = policy.limits().get(kind);
    CompletableFuture<CallResult<T>> stage = new CompletableFuture<>();
    if (queue == null || limits == null) {
      stage.complete(new CallResult.Failed<>(Refusals.unknownKind(kind, policy.account())));
      return stage;
    }
    Request<T> request =
        new Request<>(
            queue,
            limits,
            context,
            leaf,
            policy.classifier(),
            context.arrival().orElseGet(tickets::arrival),
            1,
            tickets.requestToken());
    layers.start(
        request,
        ended -> {
          context.token().filter(token -> token.kind().equals(kind)).ifPresent(CallToken::giveBack);
          stage.complete(ended.result());
        });
    return stage;
  }

  @Override
  public <T> CompletionStage<CallResult<T>> poll(
      CallKind kind, CallContext context, Duration every, Leaf<Optional<T>> leaf) {
    return new Poll<T>(kind, context, every, scheduler, () -> call(kind, context, leaf)).start();
  }
}
