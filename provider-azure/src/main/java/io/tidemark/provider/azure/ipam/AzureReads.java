package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.kit.InstanceRead;
import io.tidemark.provider.kit.InstanceSource;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.ReadVerdict;
import io.tidemark.provider.kit.Together;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads of single instances (Z38): by the list of their set or group where many wait (Z9), else one
 * by one; and what is made of them.
 */
final class AzureReads
    implements InstanceSource<Map<InstanceId, CallResult<List<AzureNetworkInterface>>>>,
        InstanceRead.Source<Nic> {
  private final AzureAccount account;
  private final Map<InstanceId, AzureNode> nodes;
  private final MachineReads machines;
  private final InstanceRead<Nic> reads;

  AzureReads(AzureAccount account, Map<InstanceId, AzureNode> nodes) {
    this.account = account;
    this.nodes = nodes;
    this.machines = new MachineReads(account);
    this.reads = new InstanceRead<>(account.inventory, this);
  }

  @Override
  public CompletionStage<CallResult<Map<InstanceId, CallResult<List<AzureNetworkInterface>>>>> read(
      Set<InstanceId> ids, CallContext context) {
    Optional<Scope> scope = Scope.of(ids.iterator().next()).filter(all -> ids.size() > 1);
    return scope.isEmpty()
        ? completed(List.of(), ids, context)
        : CallResult.after(
            account.arm.list(scope.get().interfaces(), context),
            listed -> completed(listed, ids, context));
  }

  /** A list, and what it lacks read one by one. */
  private CompletionStage<CallResult<Map<InstanceId, CallResult<List<AzureNetworkInterface>>>>>
      completed(List<AzureNetworkInterface> listed, Set<InstanceId> ids, CallContext context) {
    Map<InstanceId, CallResult<List<AzureNetworkInterface>>> found = byInstance(listed, ids);
    Set<InstanceId> others = new TreeSet<>(ids);
    others.removeAll(found.keySet());
    return Together.each(others, id -> machines.read(id, context))
        .thenApply(
            read -> {
              found.putAll(read);
              return new CallResult.Answered<>(found);
            });
  }

  /**
   * The listed interfaces of those of these instances that no operation goes on with. One with a
   * known interface that is not listed is left out: it may be in another resource group.
   */
  Map<InstanceId, CallResult<List<AzureNetworkInterface>>> byInstance(
      List<AzureNetworkInterface> listed, Set<InstanceId> wanted) {
    Map<InstanceId, List<AzureNetworkInterface>> byInstance = new TreeMap<>();
    for (AzureNetworkInterface each : listed) {
      each.machine()
          .map(ArmCalls::instance)
          .filter(id -> wanted.contains(id) && !account.isUnderWay(id))
          .ifPresent(id -> byInstance.computeIfAbsent(id, key -> new ArrayList<>(1)).add(each));
    }
    Map<InstanceId, CallResult<List<AzureNetworkInterface>>> whole = new TreeMap<>();
    byInstance.forEach(
        (id, nics) -> {
          if (hasAllKnown(id, nics)) {
            whole.put(id, new CallResult.Answered<>(nics));
          }
        });
    return whole;
  }

  private boolean hasAllKnown(InstanceId id, List<AzureNetworkInterface> listed) {
    return account.interfaces(id).stream()
        .allMatch(
            nic ->
                listed.stream()
                    .anyMatch(each -> nic.id().text().equalsIgnoreCase(each.id().text())));
  }

  // ---- responses

  @Override
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark,
      Set<InstanceId> ids,
      Map<InstanceId, CallResult<List<AzureNetworkInterface>>> found,
      CallContext context) {
    return Together.each(
            found.keySet(),
            id ->
                Objects.requireNonNull(found.get(id))
                    .then(seen -> believed(mark, id, seen, context)))
        .thenCompose(
            results -> {
              Map<InstanceId, List<Nic>> shown = new TreeMap<>();
              Set<InstanceId> gone = new TreeSet<>();
              Map<InstanceId, SyncOutcome> failed = new TreeMap<>();
              results.forEach(
                  (id, result) -> {
                    if (MachineReads.isNotFound(result)) {
                      gone.add(id);
                    } else {
                      result.match(
                          nics -> shown.put(id, nics),
                          failure -> failed.put(id, new SyncOutcome.Failed(failure)));
                    }
                  });
              gone.addAll(shown.keySet());
              return reads
                  .accept(mark, gone, shown, account.subnets::read, context)
                  .thenApply(
                      outcomes -> {
                        outcomes.putAll(failed);
                        shown.keySet().forEach(this::reportReplaced);
                        return outcomes;
                      });
            });
  }

  /** The read in the cache's form, unless it needs another read to be believed. */
  private CompletionStage<CallResult<List<Nic>>> believed(
      ReadMark mark, InstanceId id, List<AzureNetworkInterface> seen, CallContext context) {
    if (seen.isEmpty()) { // a machine has an interface from its start to its end
      return unbelieved("noInterface", "Azure shows no interface of " + id + " yet");
    }
    if (isUnclear(id, seen)) {
      return CallResult.failed(MachineReads.underWay(id));
    }
    return nics(id, seen, context)
        .thenCompose(
            nics ->
                account.replacements.isDoubtful(id, account.interfaces(id), nics, mark.nanos())
                    ? unbelieved(
                        "addressesNotShown", "a single read shows none of the addresses of " + id)
                    : CallResult.answered(nics));
  }

  private static <T> CompletionStage<CallResult<T>> unbelieved(String condition, String detail) {
    return CallResult.failed(Failure.of(Failure.Kind.TRANSIENT, condition, detail));
  }

  /**
   * Whether a predecessor's operation goes on (Z20): it shows all configurations of its interface
   * as updating, also those that pods use, and nothing else is known of the instance.
   */
  private boolean isUnclear(InstanceId id, List<AzureNetworkInterface> nics) {
    return !account.inventory.contains(id)
        && nics.stream()
            .filter(nic -> ArmCalls.goesOn(nic.state()))
            .anyMatch(nic -> nic.configurations().stream().anyMatch(IpConfiguration::isIncomplete));
  }

  /**
   * An instance's interfaces in the cache's form; its model is read where a block may be a single.
   */
  private CompletionStage<List<Nic>> nics(
      InstanceId id, List<AzureNetworkInterface> seen, CallContext context) {
    boolean ambiguous =
        seen.stream().anyMatch(each -> account.reader.isAmbiguous(each, known(id, each)));
    CompletionStage<Optional<Set<String>>> blocks =
        ambiguous
            ? account
                .arm
                .read(ArmRead.writable(ResourceId.of(id.text())), context)
                .thenApply(result -> result.answer().map(WritableResource::blocks))
            : CompletableFuture.completedStage(Optional.empty());
    return blocks.thenApply(
        inModel ->
            seen.stream()
                .map(each -> account.reader.read(each, known(id, each), inModel))
                .sorted(Comparator.comparing(Nic::id))
                .toList());
  }

  private Optional<Nic> known(InstanceId id, AzureNetworkInterface seen) {
    return account.interfaces(id).stream()
        .filter(nic -> nic.id().text().equalsIgnoreCase(seen.id().text()))
        .findFirst()
        .or(() -> published(id, seen));
  }

  /**
   * A virtual machine's interface as the status of its node shows it: what a predecessor published
   * may be shown as failed since then (N49).
   */
  private Optional<Nic> published(InstanceId id, AzureNetworkInterface seen) {
    AzureNode node = nodes.get(id);
    return node == null || seen.id().uniformInstance().isPresent()
        ? Optional.empty()
        : Optional.of(
            account
                .reader
                .read(seen, Optional.empty(), Optional.empty())
                .plus(node.published(seen.id()), List.of()));
  }

  /** Own writes of a while ago may still take precedence over what was read. */
  private void reportReplaced(InstanceId id) {
    if (account.replacements.isSuspected(id)
        && account.interfaces(id).stream().allMatch(nic -> nic.podAddresses().isEmpty())) {
      account.notices.report(
          AzureError.CONFIGURATIONS_REPLACED, id + " lost the addresses of its pods");
    }
  }

  @Override
  public boolean knows(PoolId pool) {
    return account.pools.find(pool).isPresent();
  }

  /** An instance that a read by name did not find is requested nowhere else. */
  @Override
  public CompletionStage<CallResult<Map<InstanceId, ReadVerdict.Said>>> ask(
      Set<InstanceId> ids, CallContext context) {
    return CallResult.answered(Map.of());
  }

  /** A node that went while its instance was read is not known again (B24). */
  @Override
  public void shown(ReadMark mark, InstanceId id) {
    if (!nodes.containsKey(id)) {
      account.inventory.forget(id);
    }
  }
}
