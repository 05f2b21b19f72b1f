package io.tidemark.provider.azure.ipam;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends each request at once; what a request throws is classified. */
record DirectCalls(CallPolicy policy) implements CloudCalls {
  @Override
  public Admission admit(List<CallKind> anyOf, CallContext context) {
    throw new UnsupportedOperationException("nothing is admitted");
  }

  @Override
  public <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf) {
    CallResult<T> result;
    try {
      result =
          new CallResult.Answered<>(leaf.send(new Attempt(1, Duration.ofSeconds(10), "request")));
    } catch (Exception thrown) {
      result = new CallResult.Failed<>(policy.classifier().classify(kind, thrown));
    }
    return CompletableFuture.completedStage(result);
  }
}
