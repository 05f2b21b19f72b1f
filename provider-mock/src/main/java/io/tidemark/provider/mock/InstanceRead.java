package io.tidemark.provider.mock;

import io.tidemark.provider.kit.InstanceSource;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.ReadVerdict;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a listing of interfaces says about instances into the inventory. Instances that the
 * listing leaves out are asked for by name: only then absence means something. A subnet that is
 * seen for the first time is read before the interfaces in it count.
 */
final class InstanceRead implements InstanceSource<List<NetworkInterface>> {
  private final MockAccount account;
  private final ReadVerdict<Eni> verdict;
  private final InterfaceRepair<Eni> repair;
  private final IntSupplier networkChanges;
  private volatile int networksRead;
  private final Set<PoolId> unseenPools = ConcurrentHashMap.newKeySet();

  /**
   * Reads of one account.
   *
   * @param networkChanges how often networks were changed beside this provider's requests; when
   *     that grew they are read again
   */
  InstanceRead(MockAccount account, InterfaceRepair<Eni> repair, IntSupplier networkChanges) {
    this.networkChanges = networkChanges;
    this.account = account;
    this.verdict = new ReadVerdict<>(account.inventory);
    this.repair = repair;
  }

  @Override
  public CompletionStage<CallResult<List<NetworkInterface>>> read(
      Set<InstanceId> ids, CallContext context) {
    return account.api.interfacesOf(ids, context);
  }

  /**
   * What became known of each of {@code wanted}.
   *
   * @param found interfaces of these instances, others too
   */
  @Override
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark, Set<InstanceId> wanted, List<NetworkInterface> found, CallContext context) {
    Map<InstanceId, List<Eni>> byInstance = byInstance(found);
    Set<PoolId> unknown = unknownPools(byInstance.values());
    int changes = networkChanges.getAsInt();
    if (unknown.isEmpty() && changes == networksRead) {
      return accept(mark, wanted, byInstance, context);
    }
    return new NetworkRead(account, context)
        .run()
        .thenCompose(
            failure -> {
              if (failure.isEmpty()) {
                networksRead = changes;
                unknown.removeIf(pool -> account.pools.find(pool).isPresent());
                unseenPools.addAll(unknown);
              }
              return accept(mark, wanted, byInstance, context);
            });
  }

  /** Subnets that could not be found are looked for again. */
  void forgetUnseenPools() {
    unseenPools.clear();
  }

  private CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark,
      Collection<InstanceId> wanted,
      Map<InstanceId, List<Eni>> byInstance,
      CallContext context) {
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    byInstance.forEach(
        (id, enis) -> {
          SyncOutcome outcome = verdict.shown(mark, id, enis);
          account.repairMarks(repair, id);
          outcomes.put(id, outcome);
        });
    TreeSet<InstanceId> missing = new TreeSet<>(wanted);
    missing.removeAll(byInstance.keySet());
    if (missing.isEmpty()) {
      return MockAccount.done(outcomes);
    }
    return account
        .api
        .instances(missing, context)
        .thenApply(
            result ->
                result.match(
                    instances -> decide(mark, missing, instances, outcomes),
                    failure -> fail(missing, failure, outcomes)));
  }

  private Set<PoolId> unknownPools(Collection<List<Eni>> all) {
    Set<PoolId> unknown = new TreeSet<>();
    for (List<Eni> enis : all) {
      for (Eni eni : enis) {
        if (!unseenPools.contains(eni.pool()) && account.pools.find(eni.pool()).isEmpty()) {
          unknown.add(eni.pool());
        }
      }
    }
    return unknown;
  }

  private Map<InstanceId, SyncOutcome> decide(
      ReadMark mark,
      Collection<InstanceId> missing,
      List<Instance> instances,
      Map<InstanceId, SyncOutcome> outcomes) {
    Map<String, Instance> byId = new HashMap<>();
    instances.forEach(each -> byId.put(each.id(), each));
    for (InstanceId id : missing) {
      Instance instance = byId.get(id.text());
      SyncOutcome outcome = verdict.missing(mark, id, said(instance));
      outcomes.put(id, outcome);
    }
    return outcomes;
  }

  private static ReadVerdict.Said said(@Nullable Instance instance) {
    if (instance == null) {
      return ReadVerdict.Said.NOTHING;
    }
    return instance.state() == Instance.State.TERMINATED
        ? ReadVerdict.Said.TERMINATED
        : ReadVerdict.Said.EXISTS;
  }

  private static Map<InstanceId, SyncOutcome> fail(
      Collection<InstanceId> missing, Failure failure, Map<InstanceId, SyncOutcome> outcomes) {
    missing.forEach(id -> outcomes.put(id, new SyncOutcome.Failed(failure)));
    return outcomes;
  }

  /** Attached interfaces by instance, ids ascending. */
  static Map<InstanceId, List<Eni>> byInstance(List<NetworkInterface> found) {
    Map<InstanceId, List<Eni>> byInstance = new TreeMap<>();
    for (NetworkInterface each : found) {
      each.attachment()
          .ifPresent(
              attachment ->
                  byInstance
                      .computeIfAbsent(
                          new InstanceId(attachment.instanceId()), id -> new ArrayList<>(2))
                      .add(MockApi.eni(each, attachment)));
    }
    byInstance.values().forEach(enis -> enis.sort(Comparator.comparing(Eni::id)));
    return byInstance;
  }
}
