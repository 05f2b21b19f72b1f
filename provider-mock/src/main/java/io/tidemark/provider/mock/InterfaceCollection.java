package io.tidemark.provider.mock;

import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The requests of the collection of orphaned interfaces to the mock cloud, which refuses to delete
 * what is attached: a listing that lags does no harm, so none is looked at a second time.
 */
record InterfaceCollection(MockAccount account)
    implements GarbageCollection.Cloud<NetworkInterface> {
  static final Duration AGE = Duration.ofMinutes(1);

  static GarbageCollection<MockInterface, NetworkInterface> of(MockAccount account) {
    return new GarbageCollection<>(
        account.state,
        new InterfaceCollection(account),
        new GarbageCollection.Options(AGE, AGE, Duration.ZERO, Integer.MAX_VALUE));
  }

  @Override
  public Optional<GarbageCollection.Orphan> orphan(NetworkInterface listed) {
    boolean orphaned =
        listed.attachment().isEmpty()
            && account.owner.own(listed.tags())
            && !account.state.creations().isCurrent(MockTags.token(listed));
    return orphaned
        ? Optional.of(
            new GarbageCollection.Orphan(
                new InterfaceId(listed.id()),
                new PoolId(listed.subnetId()),
                listed.addressesHeld(),
                Optional.empty()))
        : Optional.empty();
  }

  @Override
  public CompletionStage<CallResult<List<NetworkInterface>>> confirm(
      NetworkInterface listed, CallContext context) {
    return CompletableFuture.completedStage(new CallResult.Answered<>(List.of(listed)));
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
    return account.api.delete(id, context);
  }
}
