package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * Takes what a listing of interfaces says about instances into the inventory. Instances that the
 * listing leaves out are asked for by name: only then absence means something.
 */
final class InstanceRead {
  private final MockAccount account;
  private final InterfaceRepair repair;

  InstanceRead(MockAccount account, InterfaceRepair repair) {
    this.account = account;
    this.repair = repair;
  }

  /**
   * What became known of each of {@code wanted}.
   *
   * @param found interfaces of these instances, others too
   */
  CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark,
      Collection<InstanceId> wanted,
      List<NetworkInterface> found,
      CallContext context) {
    Map<InstanceId, List<Eni>> byInstance = byInstance(found);
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    byInstance.forEach(
        (id, enis) -> {
          account.inventory.accept(mark, id, enis);
          repair.check(id);
          outcomes.put(id, new SyncOutcome.Synced(mark.generation()));
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

  private Map<InstanceId, SyncOutcome> decide(
      ReadMark mark,
      Collection<InstanceId> missing,
      List<Instance> instances,
      Map<InstanceId, SyncOutcome> outcomes) {
    Map<String, Instance> byId = new HashMap<>();
    instances.forEach(each -> byId.put(each.id(), each));
    for (InstanceId id : missing) {
      Instance instance = byId.get(id.text());
      boolean said = instance != null && instance.state() == Instance.State.TERMINATED;
      boolean gone = account.inventory.notFound(mark, id, said);
      if (gone && instance != null && !said) {
        account.inventory.accept(mark, id, List.of());
        outcomes.put(id, new SyncOutcome.Synced(mark.generation()));
      } else if (gone) {
        outcomes.put(id, new SyncOutcome.InstanceNotFound());
      } else {
        outcomes.put(
            id,
            new SyncOutcome.Failed(
                Failure.of(
                    Failure.Kind.TRANSIENT,
                    "absenceUnconfirmed",
                    "a single read does not show " + id + "; what is known stays for now")));
      }
    }
    return outcomes;
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
