package io.tidemark.provider.mock;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sends every request at once on the caller's thread; repeats what is safe to repeat when its
 * answer was lost, as the real one does. No tokens, no time.
 */
final class DirectCalls implements CloudCalls {
  private static final int ATTEMPTS = 3;

  private final CallPolicy policy;

  DirectCalls(CallPolicy policy) {
    this.policy = policy;
  }

  @Override
  public Admission admit(List<CallKind> anyOf, CallContext context) {
    throw new UnsupportedOperationException("not needed by a provider");
  }

  @Override
  public <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf) {
    if (!policy.limits().containsKey(kind)) {
      throw new IllegalStateException(kind + " was not declared");
    }
    return CompletableFuture.completedFuture(send(kind, context, leaf));
  }

  private <T> CallResult<T> send(CallKind kind, CallContext context, Leaf<T> leaf) {
    int attempts = kind.effect() == CallKind.Effect.ONCE ? 1 : ATTEMPTS;
    Failure last = Failure.of(Failure.Kind.CANCELLED, "cancelled", "nothing was sent");
    for (int number = 1; number <= attempts && !context.isCancelled(); number++) {
      try {
        return new CallResult.Answered<>(
            leaf.send(new Attempt(number, Duration.ofSeconds(1), "token")));
      } catch (Exception thrown) {
        last = policy.classifier().classify(kind, thrown);
        if (last.kind() != Failure.Kind.LOST) {
          return new CallResult.Failed<>(last);
        }
      }
    }
    return new CallResult.Failed<>(last);
  }
}
