package io.tidemark.provider.kit;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The cloud's side of reads of single instances. Called without a lock held. */
public interface InstanceSource<F> {
  /** Reads some instances in one request. */
  CompletionStage<CallResult<F>> read(Set<InstanceId> ids, CallContext context);

  /** Processes the response; returns the outcome of each instance. */
  CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark, Set<InstanceId> ids, F found, CallContext context);

  /**
   * The source of a {@link Batcher} of these reads.
   *
   * @param beginRead called before each request, {@link InstanceInventory#beginRead}
   */
  default Batcher.Source<InstanceId, SyncOutcome> batches(Supplier<ReadMark> beginRead) {
    return new Batcher.Source<>() {
      @Override
      public CompletionStage<CallResult<Batcher.Answer<InstanceId, SyncOutcome>>> send(
          Set<InstanceId> ids, CallContext context) {
        ReadMark mark = beginRead.get();
        return read(ids, context)
            .thenApply(result -> result.map(found -> later -> accept(mark, ids, found, later)));
      }

      @Override
      public SyncOutcome failed(Failure failure) {
        return new SyncOutcome.Failed(failure);
      }
    };
  }
}
