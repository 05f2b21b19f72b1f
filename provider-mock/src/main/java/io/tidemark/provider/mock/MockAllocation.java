package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.InstanceSource;
import io.tidemark.provider.kit.InterfaceAllocation;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.ReadVerdict;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One account of the mock cloud: the reads that fill its cache, the collection of orphaned
 * interfaces, and the nodes that use it.
 */
final class MockAllocation extends InterfaceAllocation
    implements InstanceSource<List<MockInterface>>, GarbageCollection.Cloud<MockInterface> {
  private static final Duration ORPHAN_AGE = Duration.ofMinutes(1);

  private final MockAccount account;
  private final InstanceInventory<MockInterface> inventory;
  private final ReadVerdict<MockInterface> verdict;
  private final GarbageCollection<MockInterface, MockInterface> collection;
  private final MockAliasRanges aliases;

  MockAllocation(MockAccount account) {
    super(account.state, account.calls);
    this.account = account;
    this.inventory = account.state.inventory();
    this.verdict = new ReadVerdict<>(inventory);
    this.aliases = new MockAliasRanges(account, this::instanceSync);
    this.collection =
        new GarbageCollection<>(
            account.state,
            this,
            new GarbageCollection.Options(
                ORPHAN_AGE, ORPHAN_AGE, Duration.ZERO, Integer.MAX_VALUE));
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.IPV6_PREFIX));
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    MockNode node = new MockNode(account, settings, instance(settings, resource));
    node.updatedNode(resource);
    return node;
  }

  @Override
  public Optional<NodeAliasRanges> aliasRanges() {
    return Optional.of(aliases);
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    aliases.forget(id);
    super.deleteInstance(id);
    account.adoption.ifPresent(adoption -> adoption.left(id));
  }

  // ---- reads

  @Override
  protected InstanceSource<List<MockInterface>> reads() {
    return this;
  }

  @Override
  public CompletionStage<CallResult<List<MockInterface>>> read(
      Set<InstanceId> ids, CallContext context) {
    account.adoption.ifPresent(ManifestAdoption::adoptWaiting);
    List<String> texts = ids.stream().map(InstanceId::text).sorted().toList();
    return account.send(
        CloudOperation.DESCRIBE_INTERFACES,
        texts.size() == 1 ? texts.get(0) : "",
        context,
        cloud -> cloud.interfacesOf(texts));
  }

  /** Subnets that were never seen are read before their interfaces count. */
  @Override
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark, Set<InstanceId> wanted, List<MockInterface> found, CallContext context) {
    boolean known = found.stream().allMatch(each -> account.networks().containsKey(each.pool()));
    return (known
            ? CompletableFuture.completedStage(Optional.empty())
            : account.readSubnets(context))
        .thenApply(unread -> accept(mark, wanted, found));
  }

  private Map<InstanceId, SyncOutcome> accept(
      ReadMark mark, Collection<InstanceId> wanted, List<MockInterface> found) {
    Map<InstanceId, List<MockInterface>> byInstance = new TreeMap<>();
    for (MockInterface each : found) {
      if (each.isAttached()) {
        byInstance
            .computeIfAbsent(new InstanceId(each.instanceId()), id -> new ArrayList<>(2))
            .add(each);
      }
    }
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    byInstance.forEach(
        (id, interfaces) -> {
          interfaces.sort(Comparator.comparing(MockInterface::id));
          outcomes.put(id, verdict.shown(mark, id, interfaces));
        });
    for (InstanceId id : wanted) {
      outcomes.computeIfAbsent(
          id, missing -> verdict.missing(mark, missing, ReadVerdict.Said.NOTHING));
    }
    return outcomes;
  }

  @Override
  protected CompletionStage<SyncOutcome> readAll(CallContext context) {
    account.adoption.ifPresent(ManifestAdoption::adoptWaiting);
    return account
        .readSubnets(context)
        .thenCompose(
            failure ->
                failure.isPresent()
                    ? done(new SyncOutcome.Failed(failure.get()))
                    : readInterfaces(context));
  }

  private CompletionStage<SyncOutcome> readInterfaces(CallContext context) {
    ReadMark mark = inventory.beginRead();
    return account
        .send(
            CloudOperation.DESCRIBE_INTERFACES,
            "",
            context,
            cloud -> cloud.interfaces(each -> true))
        .thenApply(
            result ->
                result.match(
                    all -> {
                      collection.check(all, mark.nanos());
                      accept(mark, inventory.ids(), all);
                      return new SyncOutcome.Synced(mark.generation());
                    },
                    SyncOutcome.Failed::new));
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedStage(value);
  }

  // ---- orphans: the cloud refuses to delete what is attached, so a listing that lags does no harm

  @Override
  public Optional<GarbageCollection.Orphan> orphan(MockInterface listed) {
    boolean orphaned =
        !listed.isAttached()
            && account.owns(listed)
            && !account.state.creations().isCurrent(MockAccount.token(listed));
    return orphaned
        ? Optional.of(
            new GarbageCollection.Orphan(
                listed.id(), listed.pool(), listed.taken().size(), Optional.empty()))
        : Optional.empty();
  }

  @Override
  public CompletionStage<CallResult<List<MockInterface>>> confirm(
      MockInterface listed, CallContext context) {
    return done(new CallResult.Answered<>(List.of(listed)));
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
    return account.send(
        CloudOperation.DELETE_INTERFACE, id.text(), context, cloud -> cloud.delete(id));
  }
}
