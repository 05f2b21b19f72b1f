package io.tidemark.resilience;

import io.tidemark.resilience.CallLayer.Ended;
import io.tidemark.resilience.CallLayer.InFlight;
import io.tidemark.resilience.CallLayer.StopCause;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One account and region of a cloud: the layers that all its calls pass. Thread-safe. */
final class CloudAccount {
  private final String name;
  private final CallEnvironment environment;
  private final CircuitBreakers breakers;
  private final AttemptLayer attempts;
  private final TokenLayer tokens;
  private final CallLayer layers;

  /**
   * The order of the layers, from the wire outwards, and its reasons.
   *
   * @param ceiling the dispatcher of all queues when there is a limit over all calls
   */
  CloudAccount(String name, CallEnvironment environment, Optional<TokenDispatcher> ceiling) {
    this.name = name;
    this.environment = environment;
    this.breakers = new CircuitBreakers(name, environment);
    // Innermost, so that timeout and metrics cover one sending and no waiting.
    this.attempts = new AttemptLayer(environment);
    // Each attempt takes a token of its own, because each one costs the cloud one.
    this.tokens = new TokenLayer(name, environment, ceiling, breakers, attempts);
    // Outside the tokens: while the API fails nobody queues. Asked again when the token comes.
    BreakerLayer breaker = new BreakerLayer(environment.time(), breakers, tokens);
    // Outside the breaker, which so sees every attempt; a pause holds neither token nor worker.
    this.layers = new RetryLayer(name, environment, breaker);
  }

  /** The calls of one policy. Of two policies that limit a kind, the first seeds its bucket. */
  CloudCalls calls(CallPolicy policy) {
    policy.limits().forEach((kind, limits) -> tokens.serve(kind, limits, policy.sharedBy(kind)));
    return new Calls(policy);
  }

  Stream<LearnedBucket> buckets() {
    return tokens.buckets();
  }

  /** Adds the requests that were sent, and those that were throttled, by operation. */
  void addCounts(Map<String, Long> sent, Map<String, Long> throttled) {
    attempts.addCounts(sent, throttled);
  }

  private final class Calls implements CloudCalls {
    private final CallPolicy policy;

    Calls(CallPolicy policy) {
      this.policy = policy;
    }

    @Override
    public Admission admit(List<CallKind> anyOf, CallContext context) {
      context.giveBackToken();
      StopCause stopped = DeadlineGuard.stopCause(context, environment.time().nanos());
      if (stopped != null) {
        return Admission.refused(LocalFailures.notStarted(QueuedAdmission.name(context), stopped));
      }
      Set<CallKind> open = new LinkedHashSet<>();
      Optional<Failure> refusal = Optional.empty();
      for (CallKind kind : anyOf) {
        if (!policy.limits().containsKey(kind)) {
          return Admission.refused(LocalFailures.unknownKind(kind, name));
        }
        if (breakers.mayEnter(kind)) {
          open.add(kind);
        } else {
          refusal = Optional.of(LocalFailures.circuitOpen(kind));
        }
      }
      return open.isEmpty()
          ? Admission.refused(refusal.orElseGet(LocalFailures::nothingAsked))
          : tokens.admit(new ArrayList<>(open), context, environment.arrival());
    }

    @Override
    public <T> CompletionStage<CallResult<T>> call(
        CallKind kind, CallContext context, Leaf<T> leaf) {
      CallLimits limits = policy.limits().get(kind);
      CompletableFuture<CallResult<T>> stage = new CompletableFuture<>();
      if (limits == null) {
        stage.complete(new CallResult.Failed<>(LocalFailures.unknownKind(kind, name)));
        return stage;
      }
      Request<T> request =
          new Request<>(
              kind,
              limits,
              context,
              leaf,
              policy.classifier(),
              context.arrival().orElseGet(environment::arrival),
              1,
              environment.requestToken());
      withinDeadline(
          request,
          ended -> {
            context
                .token()
                .filter(token -> token.kind().equals(kind))
                .ifPresent(CallToken::giveBack);
            stage.complete(ended.result());
          });
      return stage;
    }

    /** The deadline and the owner's cancellation end attempts, pauses and waiting alike. */
    private <T> void withinDeadline(Request<T> request, Consumer<Ended<T>> end) {
      CallContext context = request.context();
      StopCause stopped = DeadlineGuard.stopCause(context, environment.time().nanos());
      if (stopped != null) {
        end.accept(Ended.byUs(LocalFailures.notStarted(request, stopped)));
        return;
      }
      DeadlineGuard guard = new DeadlineGuard(environment.scheduler(), context);
      InFlight inner =
          layers.start(
              request,
              ended -> {
                guard.release();
                end.accept(ended);
              });
      guard.watch(inner::stop);
    }
  }
}
