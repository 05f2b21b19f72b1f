package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.provider.kit.InterfaceAllocation;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** One account of the mock cloud: the cache, the reads that fill it, and the nodes that use it. */
final class MockAllocation extends InterfaceAllocation {
  private static final Set<Capability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Capability.IPV6_PREFIX)));

  private final MockAccount account;
  private final InstanceTypes types;
  private final Claims claims;
  private final MockReads reader;
  private final GarbageCollection<MockInterface, NetworkInterface> collection;

  MockAllocation(MockAccount account, InstanceTypes types, Claims claims) {
    super(account.state, account.api.calls());
    this.account = account;
    this.types = types;
    this.claims = claims;
    this.reader =
        new MockReads(account, new InterfaceRepair<>(account.state), claims::networkChanges);
    this.collection = InterfaceCollection.of(account);
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    InstanceId id = instance(settings, resource);
    MockNode node = new MockNode(account, types, settings, id, claims);
    account.nodes.put(id, node);
    node.updatedNode(resource);
    return node;
  }

  @Override
  protected MockReads reads() {
    return reader;
  }

  @Override
  protected CompletionStage<SyncOutcome> readAll(CallContext context) {
    return reader.readAll(collection, context);
  }

  @Override
  public Optional<NodeAliasRanges> aliasRanges() {
    return Optional.of(account.aliases.use());
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    account.nodes.remove(id);
    account.aliases.forget(id);
    super.deleteInstance(id);
    claims.left(id);
  }
}
