package io.tidemark.provider.kit;

import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Work that all who want its result meanwhile share. Thread-safe; no lock while it runs. */
public final class SharedWork<T> {
  private final Supplier<CompletionStage<CallResult<T>>> work;
  private final Object lock = new Object();
  private @Nullable CompletableFuture<CallResult<T>> underWay;

  /**
   * Nothing is begun yet.
   *
   * @param work begins anew with each call, and keeps its result before it ends
   */
  public SharedWork(Supplier<CompletionStage<CallResult<T>>> work) {
    this.work = work;
  }

  /**
   * The result that is kept, or that of the work that goes on, or of work that begins now; never
   * completes exceptionally.
   *
   * @param kept what an earlier work has kept, if it can still be used; called under the lock
   */
  public CompletionStage<CallResult<T>> join(Supplier<Optional<T>> kept) {
    CompletableFuture<CallResult<T>> mine = new CompletableFuture<>();
    synchronized (lock) {
      Optional<T> there = kept.get();
      if (there.isPresent()) {
        return CallResult.answered(there.get());
      }
      if (underWay != null) {
        return underWay;
      }
      underWay = mine;
    }
    work.get()
        .whenComplete(
            (result, thrown) -> {
              synchronized (lock) {
                underWay = null;
              }
              mine.complete(
                  thrown == null
                      ? result
                      : new CallResult.Failed<>(
                          Failure.of(Failure.Kind.TRANSIENT, "defect", String.valueOf(thrown))));
            });
    return mine;
  }
}
