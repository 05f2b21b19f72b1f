package io.tidemark.provider.kit;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * One account of a cloud of interfaces: answers from its {@link AccountState}, and batches reads of
 * single instances. A provider adds its capabilities, its nodes and its full read. Thread-safe if
 * the provider's part is.
 */
public abstract class InterfaceAllocation implements AllocationImplementation {
  private final AccountState<?, ?> account;
  private final CloudCalls calls;
  private final Runnable closing;
  private final Batcher<InstanceId, SyncOutcome> syncs;

  /** An account that makes no request yet. */
  protected InterfaceAllocation(AccountState<?, ?> account, CloudCalls calls) {
    this(account, calls, Batcher.Options.usual(), () -> {});
  }

  /**
   * The same.
   *
   * @param batches how reads of single instances are gathered
   * @param closing what {@link #close} ends too
   */
  protected InterfaceAllocation(
      AccountState<?, ?> account,
      CloudCalls calls,
      Batcher.Options<InstanceId> batches,
      Runnable closing) {
    this.account = account;
    this.calls = calls;
    this.closing = closing;
    this.syncs = new Batcher<>(account.scheduler(), batches, new SingleReads(), account.shutdown());
  }

  /** Reads of single instances; the same object each time. */
  protected abstract InstanceSource<?> reads();

  /** Reads the interfaces of all instances; which are due is the provider's matter. */
  protected abstract CompletionStage<SyncOutcome> readAll(CallContext context);

  /** The instance of a node that is created. */
  protected final InstanceId instance(NodeSettings settings, NodeResource resource) {
    return instanceId(resource)
        .orElseThrow(() -> new IllegalArgumentException(settings.name() + " has no instance id"));
  }

  @Override
  public final CloudCalls calls() {
    return calls;
  }

  @Override
  public final Duration readHorizon() {
    return account.horizon();
  }

  @Override
  public final Duration overlayExpiry() {
    return account.inventory().overlayExpiry();
  }

  @Override
  public final Map<PoolId, PoolQuota> poolQuota() {
    return account.pools().quotas();
  }

  @Override
  public final CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context) {
    return syncs.submit(id, context);
  }

  @Override
  public final CompletionStage<SyncOutcome> resync(CallContext context) {
    return readAll(context)
        .thenApply(
            outcome ->
                outcome instanceof SyncOutcome.Synced synced
                    ? new SyncOutcome.Synced(
                        account.inventory().covered(synced.startedGeneration()))
                    : outcome);
  }

  @Override
  public void deleteInstance(InstanceId id) {
    account.creations().forget(id);
    account.inventory().forget(id);
  }

  @Override
  public void close() {
    account.shutdown().cancel();
    closing.run();
  }

  /** The batches of {@link #reads}, which exists only after the provider's constructor. */
  private final class SingleReads implements Batcher.Source<InstanceId, SyncOutcome> {
    @Override
    public CompletionStage<CallResult<Batcher.Answer<InstanceId, SyncOutcome>>> send(
        Set<InstanceId> ids, CallContext context) {
      return reads().batches(account.inventory()::beginRead).send(ids, context);
    }

    @Override
    public SyncOutcome failed(Failure failure) {
      return new SyncOutcome.Failed(failure);
    }
  }
}
