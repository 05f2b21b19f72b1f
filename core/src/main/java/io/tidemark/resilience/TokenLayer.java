package io.tidemark.resilience;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every attempt needs a permit of its own: the one its context carries, or it waits for one among
 * all others by need. Owns the token queues of the account, one for each kind, and the buckets that
 * kinds share.
 */
final class TokenLayer implements CallLayer {
  private final String account;
  private final CallEnvironment environment;
  private final Optional<TokenDispatcher> ceiling;
  private final CircuitBreakers breakers;
  private final AttemptLayer next;
  private final Map<CallKind, TokenQueue> queues = new ConcurrentHashMap<>();
  private final Map<String, Group> groups = new ConcurrentHashMap<>();

  /** Kinds that share a bucket. */
  private record Group(TokenDispatcher dispatcher, LearnedBucket bucket) {}

  TokenLayer(
      String account,
      CallEnvironment environment,
      Optional<TokenDispatcher> ceiling,
      CircuitBreakers breakers,
      AttemptLayer next) {
    this.account = account;
    this.environment = environment;
    this.ceiling = ceiling;
    this.breakers = breakers;
    this.next = next;
  }

  /** Makes the queue of a kind, unless there is one; before the kind is called. */
  void serve(CallKind kind, CallLimits limits, Optional<SharedLimit> shared) {
    queues.computeIfAbsent(kind, absent -> queue(absent, limits, shared));
  }

  private TokenQueue queue(CallKind kind, CallLimits limits, Optional<SharedLimit> shared) {
    Optional<Group> group =
        shared.map(limit -> groups.computeIfAbsent(limit.name(), absent -> group(limit)));
    TokenDispatcher dispatcher = group.map(Group::dispatcher).orElseGet(this::dispatcher);
    TokenQueue queue =
        new TokenQueue(
            account,
            kind,
            limits,
            dispatcher,
            dispatcher.ceiling(),
            group.map(Group::bucket),
            environment);
    dispatcher.serve(queue);
    return queue;
  }

  private Group group(SharedLimit limit) {
    TokenDispatcher dispatcher = dispatcher();
    return new Group(
        dispatcher,
        LearnedBucket.of(
            account,
            limit.name(),
            BucketRules.of(environment.config().pacing(), limit),
            environment.learned(),
            environment.time(),
            dispatcher::waiting));
  }

  private TokenDispatcher dispatcher() {
    return ceiling.orElseGet(() -> new TokenDispatcher(environment.scheduler()));
  }

  @SuppressWarnings("NullAway") // every kind of a policy is served
  private TokenQueue queue(CallKind kind) {
    return queues.get(kind);
  }

  /** Those of the kinds, and those that they share. */
  Stream<LearnedBucket> buckets() {
    return Stream.concat(
        queues.values().stream().map(TokenQueue::bucket),
        groups.values().stream().map(Group::bucket));
  }

  /** Queues for a token of any of {@code kinds}, of which there is one at least. */
  Admission admit(List<CallKind> kinds, CallContext context, CallContext.Arrival arrival) {
    List<TokenQueue> asked = kinds.stream().map(this::queue).toList();
    return QueuedAdmission.among(asked, context, arrival, environment.scheduler(), breakers);
  }

  @Override
  public <T> InFlight start(Request<T> request, Consumer<Ended<T>> end) {
    TokenQueue queue = queue(request.kind());
    if (request.attempt() == 1
        && request.context().token().orElse(null) instanceof Permit brought
        && brought.queue() == queue
        && brought.take()) {
      return send(request, brought, end);
    }
    Wait<T> wait = new Wait<>(request, end);
    boolean queued = wait.enter(List.of(queue), request.arrival(), request.context().priority());
    if (!queued && wait.claim()) {
      end.accept(Ended.byUs(LocalFailures.queueFull(request)));
      return InFlight.OVER;
    }
    return wait;
  }

  private <T> InFlight send(Request<T> request, Permit permit, Consumer<Ended<T>> end) {
    return next.start(
        request,
        permit,
        ended -> {
          permit.queue().learn(ended, request.classifier());
          end.accept(ended);
        });
  }

  /** A call that waits for a permit, and then the way to the request that it became. */
  private final class Wait<T> extends Waiter implements InFlight {
    private final Request<T> request;
    private final Consumer<Ended<T>> end;
    private volatile @Nullable StopCause stopped;
    private volatile @Nullable InFlight sent;

    Wait(Request<T> request, Consumer<Ended<T>> end) {
      super(request.context().deadlineNanos());
      this.request = request;
      this.end = end;
    }

    @Override
    void granted(Permit permit) {
      StopCause cause = stopped;
      if (cause == null) {
        cause = DeadlineGuard.stopCause(request.context(), environment.time().nanos());
      }
      if (cause != null) {
        refuse(permit, LocalFailures.notAdmitted(request, cause));
      } else if (breakers.isOpen(request.kind())) {
        refuse(permit, LocalFailures.circuitOpen(request));
      } else if (permit.take()) {
        InFlight started = send(request, permit, end);
        sent = started;
        StopCause late = stopped;
        if (late != null) {
          started.stop(late);
        }
      } else {
        end.accept(Ended.byUs(LocalFailures.noToken(request)));
      }
    }

    private void refuse(Permit permit, Failure failure) {
      permit.giveBack();
      end.accept(Ended.byUs(failure));
    }

    @Override
    public void stop(StopCause cause) {
      stopped = cause;
      if (claim()) {
        giveUp();
        end.accept(Ended.byUs(LocalFailures.notAdmitted(request, cause)));
        return;
      }
      InFlight started = sent;
      if (started != null) {
        started.stop(cause);
      }
    }
  }
}
