package io.tidemark.provider.mock;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Holds every request until the test lets it go. */
final class HeldCalls implements CloudCalls {
  private final CallPolicy policy;
  private final List<Held<?>> held = new ArrayList<>();

  /** A request that waits. */
  private record Held<T>(
      CallKind kind, CallContext context, Leaf<T> leaf, CompletableFuture<CallResult<T>> answer) {
    void send(CallPolicy policy) {
      CallResult<T> result;
      try {
        result =
            new CallResult.Answered<>(leaf.send(new Attempt(1, Duration.ofSeconds(1), "token")));
      } catch (Exception thrown) {
        result = new CallResult.Failed<>(policy.classifier().classify(kind, thrown));
      }
      answer.complete(result);
    }
  }

  HeldCalls(CallPolicy policy) {
    this.policy = policy;
  }

  /** The waiting requests, oldest first. */
  List<String> waiting() {
    return held.stream().map(each -> each.kind().name()).toList();
  }

  /** Sends the oldest request and answers it. */
  void send() {
    held.remove(0).send(policy);
  }

  /** Sends everything, and what follows from it. */
  void sendAll() {
    while (!held.isEmpty()) {
      send();
    }
  }

  /** Fails the oldest request without sending it. */
  void fail(Failure failure) {
    fail(held.remove(0), failure);
  }

  private static <T> void fail(Held<T> first, Failure failure) {
    first.answer().complete(new CallResult.Failed<>(failure));
  }

  @Override
  public Admission admit(List<CallKind> anyOf, CallContext context) {
    throw new UnsupportedOperationException("not needed by a provider");
  }

  @Override
  public <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf) {
    Held<T> request = new Held<>(kind, context, leaf, new CompletableFuture<>());
    held.add(request);
    return request.answer();
  }
}
