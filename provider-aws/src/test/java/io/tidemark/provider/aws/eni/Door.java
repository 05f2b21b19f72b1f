package io.tidemark.provider.aws.eni;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Where a provider goes out: hears what it asks others, and requests handed over and sent. */
interface Door {
  Door OPEN = what -> {};

  void asked(String what);

  /** Calls that pass this door before they are queued. */
  default CloudCalls before(CloudCalls calls) {
    return new CloudCalls() {
      @Override
      public Admission admit(List<CallKind> anyOf, CallContext context) {
        asked("admit");
        return calls.admit(anyOf, context);
      }

      @Override
      public <T> CompletionStage<CallResult<T>> call(
          CallKind kind, CallContext context, Leaf<T> leaf) {
        asked(kind.name());
        return calls.call(kind, context, leaf);
      }
    };
  }
}
