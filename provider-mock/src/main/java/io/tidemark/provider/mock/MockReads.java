package io.tidemark.provider.mock;

import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.provider.kit.InstanceRead;
import io.tidemark.provider.kit.InstanceSource;
import io.tidemark.provider.kit.Pages;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.ReadVerdict;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.Page;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;

/** Reads of instances: a listing of interfaces, and what the mock cloud says of those it lacks. */
final class MockReads
    implements InstanceSource<List<NetworkInterface>>, InstanceRead.Source<MockInterface> {
  private final MockAccount account;
  private final InterfaceRepair<MockInterface> repair;
  private final IntSupplier networkChanges;
  private final InstanceRead<MockInterface> reads;
  private volatile int networksRead;

  /**
   * Reads of one account.
   *
   * @param networkChanges how often networks were changed beside this provider's requests; when
   *     that grew they are read again
   */
  MockReads(
      MockAccount account, InterfaceRepair<MockInterface> repair, IntSupplier networkChanges) {
    this.account = account;
    this.repair = repair;
    this.networkChanges = networkChanges;
    this.reads = new InstanceRead<>(account.inventory, this);
  }

  @Override
  public CompletionStage<CallResult<List<NetworkInterface>>> read(
      Set<InstanceId> ids, CallContext context) {
    return account.api.interfacesOf(ids, context);
  }

  @Override
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark, Set<InstanceId> wanted, List<NetworkInterface> found, CallContext context) {
    Map<InstanceId, List<MockInterface>> listed = byInstance(found);
    int changes = networkChanges.getAsInt();
    CompletionStage<Map<InstanceId, SyncOutcome>> accepted =
        changes == networksRead
            ? reads.accept(mark, wanted, listed, unknown -> readNetworks(changes, context), context)
            : readNetworks(changes, context)
                .thenCompose(
                    failure ->
                        reads.accept(
                            mark, wanted, listed, unknown -> MockAccount.done(failure), context));
    return accepted.thenCompose(outcomes -> account.aliases.refresh(outcomes, context));
  }

  private CompletionStage<Optional<Failure>> readNetworks(int changes, CallContext context) {
    return account
        .readNetworks(context)
        .thenApply(
            failure -> {
              if (failure.isEmpty()) {
                networksRead = changes;
              }
              return failure;
            });
  }

  /**
   * Reads the whole account: networks, subnets, groups, then all interfaces page by page. Nothing
   * is forgotten because it is not listed.
   */
  CompletionStage<SyncOutcome> readAll(
      GarbageCollection<MockInterface, NetworkInterface> collection, CallContext context) {
    return account
        .readNetworks(context)
        .thenCompose(
            failure ->
                failure.isPresent()
                    ? failed(failure.get())
                    : account
                        .api
                        .securityGroups(context)
                        .thenCompose(
                            result ->
                                result.match(
                                    groups -> {
                                      account.securityGroups = groups;
                                      return readPages(collection, context);
                                    },
                                    MockReads::failed)));
  }

  private CompletionStage<SyncOutcome> readPages(
      GarbageCollection<MockInterface, NetworkInterface> collection, CallContext context) {
    ReadMark mark = account.inventory.beginRead();
    return new Pages<>(
            (Optional<String> token) -> account.api.allInterfaces(token.orElse(""), context),
            Page::items,
            Page::next)
        .all()
        .thenCompose(
            result ->
                result.match(
                    all -> {
                      reads.forgetUnseenPools();
                      collection.check(all, mark.nanos());
                      return accept(mark, account.inventory.ids(), all, context)
                          .thenApply(outcomes -> new SyncOutcome.Synced(mark.generation()));
                    },
                    MockReads::failed));
  }

  private static CompletionStage<SyncOutcome> failed(Failure failure) {
    return MockAccount.done(new SyncOutcome.Failed(failure));
  }

  @Override
  public boolean knows(PoolId pool) {
    return account.pools.find(pool).isPresent();
  }

  @Override
  public void shown(ReadMark mark, InstanceId id) {
    account.repairMarks(repair, id);
  }

  @Override
  public CompletionStage<CallResult<Map<InstanceId, ReadVerdict.Said>>> ask(
      Set<InstanceId> ids, CallContext context) {
    return account.api.instances(ids, context).thenApply(result -> result.map(MockReads::said));
  }

  private static Map<InstanceId, ReadVerdict.Said> said(List<Instance> instances) {
    Map<InstanceId, ReadVerdict.Said> said = new TreeMap<>();
    for (Instance each : instances) {
      said.put(
          new InstanceId(each.id()),
          each.state() == Instance.State.TERMINATED
              ? ReadVerdict.Said.TERMINATED
              : ReadVerdict.Said.EXISTS);
    }
    return said;
  }

  /** Attached interfaces by instance, ids ascending. */
  static Map<InstanceId, List<MockInterface>> byInstance(List<NetworkInterface> found) {
    Map<InstanceId, List<MockInterface>> byInstance = new TreeMap<>();
    for (NetworkInterface each : found) {
      each.attachment()
          .ifPresent(
              attachment ->
                  byInstance
                      .computeIfAbsent(
                          new InstanceId(attachment.instanceId()), id -> new ArrayList<>(2))
                      .add(MockApi.eni(each, attachment)));
    }
    byInstance.values().forEach(enis -> enis.sort(Comparator.comparing(MockInterface::id)));
    return byInstance;
  }
}
