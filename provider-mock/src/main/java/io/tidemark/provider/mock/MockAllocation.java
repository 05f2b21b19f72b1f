package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.Batcher;
import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** One account of the mock cloud: the cache, the reads that fill it, and the nodes that use it. */
final class MockAllocation implements AllocationImplementation {
  private static final Set<Capability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Capability.IPV6_PREFIX)));

  private final MockAccount account;
  private final InstanceTypes types;
  private final Claims claims;
  private final MockReads reader;
  private final Batcher<InstanceId, SyncOutcome> syncs;
  private final GarbageCollection<MockInterface, NetworkInterface> collection;

  MockAllocation(MockAccount account, InstanceTypes types, Claims claims) {
    this.account = account;
    this.types = types;
    this.claims = claims;
    this.reader =
        new MockReads(account, new InterfaceRepair<>(account.state), claims::networkChanges);
    this.syncs =
        new Batcher<>(
            account.state.scheduler(),
            Batcher.Options.usual(),
            reader.batches(account.inventory::beginRead),
            account.state.shutdown());
    this.collection = InterfaceCollection.of(account);
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Duration readHorizon() {
    return account.state.horizon();
  }

  @Override
  public Duration overlayExpiry() {
    return account.inventory.overlayExpiry();
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    InstanceId id =
        instanceId(resource)
            .orElseThrow(
                () -> new IllegalArgumentException(settings.name() + " has no instance id"));
    MockNode node = new MockNode(account, types, settings, id, claims);
    account.nodes.put(id, node);
    node.updatedNode(resource);
    return node;
  }

  @Override
  public CloudCalls calls() {
    return account.api.calls();
  }

  @Override
  public Map<PoolId, PoolQuota> poolQuota() {
    return account.pools.quotas();
  }

  @Override
  public CompletionStage<SyncOutcome> resync(CallContext context) {
    return reader.readAll(collection, context);
  }

  @Override
  public CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context) {
    return syncs.submit(id, context);
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    account.nodes.remove(id);
    account.state.creations().forget(id);
    account.inventory.forget(id);
    claims.left(id);
  }

  @Override
  public void close() {
    account.state.shutdown().cancel();
  }
}
