package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.kit.InstanceRead;
import io.tidemark.provider.kit.InstanceSource;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.ReadVerdict;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads of single instances (Z38): by the list of their set or group where many wait (Z9), else one
 * by one. An instance with an operation under way is not read until the operation has ended (Z20).
 */
final class AzureReads
    implements InstanceSource<Map<InstanceId, CallResult<List<NetworkInterface>>>>,
        InstanceRead.Source<Nic> {
  private final AzureAccount account;
  private final InstanceRead<Nic> reads;

  AzureReads(AzureAccount account) {
    this.account = account;
    this.reads = new InstanceRead<>(account.inventory, this);
  }

  // ---- requests

  @Override
  public CompletionStage<CallResult<Map<InstanceId, CallResult<List<NetworkInterface>>>>> read(
      Set<InstanceId> ids, CallContext context) {
    if (ids.size() == 1) {
      return each(ids, context).thenApply(CallResult.Answered::new);
    }
    Optional<Scope> scope = Scope.of(ids.iterator().next());
    if (scope.isEmpty()) {
      return each(ids, context).thenApply(CallResult.Answered::new);
    }
    return scope
        .get()
        .list(account.arm, context)
        .thenCompose(
            result ->
                result.match(
                    listed -> {
                      Map<InstanceId, List<NetworkInterface>> byInstance = byInstance(listed);
                      byInstance.keySet().retainAll(ids);
                      byInstance.keySet().removeIf(account::isUnderWay);
                      Set<InstanceId> others = new TreeSet<>(ids);
                      others.removeAll(byInstance.keySet());
                      return each(others, context)
                          .thenApply(
                              found -> {
                                byInstance.forEach(
                                    (id, nics) -> found.put(id, new CallResult.Answered<>(nics)));
                                return new CallResult.Answered<>(found);
                              });
                    },
                    failure -> done(new CallResult.Failed<>(failure))));
  }

  private CompletionStage<Map<InstanceId, CallResult<List<NetworkInterface>>>> each(
      Set<InstanceId> ids, CallContext context) {
    CompletionStage<Map<InstanceId, CallResult<List<NetworkInterface>>>> all =
        done(new TreeMap<>());
    for (InstanceId id : ids) {
      all =
          all.thenCombine(
              one(id, context),
              (found, result) -> {
                found.put(id, result);
                return found;
              });
    }
    return all;
  }

  private CompletionStage<CallResult<List<NetworkInterface>>> one(
      InstanceId id, CallContext context) {
    Optional<ResourceId> machine = ResourceId.parse(id.text());
    if (machine.isEmpty()) {
      return failed(Failure.Kind.CONFIGURATION, "noMachine", id + " is no id of a machine");
    }
    if (account.unsettled.contains(id)) {
      return afterSettling(id, machine.get(), context);
    }
    UnderWay operation = account.underWay.get(id);
    return operation == null
        ? interfaces(machine.get(), context)
        : operation
            .goesOn(account.arm, context)
            .thenCompose(
                result ->
                    result.match(
                        goesOn ->
                            goesOn
                                ? done(new CallResult.Failed<>(underWay(id)))
                                : ended(id, operation, machine.get(), context),
                        failure -> done(new CallResult.Failed<>(failure))));
  }

  /**
   * The interfaces once nothing goes on that a predecessor may have begun; without what it removed
   * and a list that lags still shows, because its agent promised not to use that any more.
   */
  private CompletionStage<CallResult<List<NetworkInterface>>> afterSettling(
      InstanceId id, ResourceId machine, CallContext context) {
    if (!machine.isUniformInstance()) {
      return interfaces(machine, context)
          .thenApply(
              result ->
                  result.match(
                      found ->
                          found.stream().anyMatch(each -> ArmCalls.goesOn(each.state()))
                              ? new CallResult.Failed<>(underWay(id))
                              : settled(id, found),
                      CallResult.Failed::new));
    }
    return account
        .arm
        .writable(machine, context)
        .thenCompose(
            result ->
                result.match(
                    model ->
                        ArmCalls.goesOn(model.provisioningState())
                            ? done(new CallResult.Failed<>(underWay(id)))
                            : interfaces(machine, context)
                                .thenApply(
                                    seen ->
                                        seen.match(
                                            found -> settled(id, inModel(found, model)),
                                            CallResult.Failed::new)),
                    failure -> done(new CallResult.Failed<>(failure))));
  }

  private CallResult<List<NetworkInterface>> settled(InstanceId id, List<NetworkInterface> found) {
    account.unsettled.remove(id);
    return new CallResult.Answered<>(found);
  }

  private static Failure underWay(InstanceId id) {
    return Failure.of(
        Failure.Kind.TRANSIENT,
        SyncOutcome.Failed.OPERATION_UNDER_WAY,
        "an operation on " + id + " has not ended");
  }

  /** After an operation that failed, the interface has what the model lacks. */
  private static List<NetworkInterface> inModel(
      List<NetworkInterface> found, WritableResource model) {
    return model.hasFailed()
        ? found
        : found.stream()
            .map(nic -> model.find(nic.name()).map(nic::withConfigurationsOf).orElse(nic))
            .toList();
  }

  private CompletionStage<CallResult<List<NetworkInterface>>> ended(
      InstanceId id, UnderWay operation, ResourceId machine, CallContext context) {
    account.underWay.remove(id, operation);
    return interfaces(machine, context);
  }

  private CompletionStage<CallResult<List<NetworkInterface>>> interfaces(
      ResourceId machine, CallContext context) {
    if (machine.isUniformInstance()) {
      return account.arm.interfacesOfInstance(machine, context);
    }
    List<ResourceId> known =
        account.inventory.find(ArmCalls.instance(machine)).stream()
            .flatMap(view -> view.interfaces().stream())
            .map(nic -> ResourceId.of(nic.id().text()))
            .toList();
    return known.isEmpty()
        ? ofMachine(machine, context)
        : byName(known, machine, context)
            .thenCompose(result -> isNotFound(result) ? ofMachine(machine, context) : done(result));
  }

  private CompletionStage<CallResult<List<NetworkInterface>>> ofMachine(
      ResourceId machine, CallContext context) {
    return account
        .arm
        .interfacesOfMachine(machine, context)
        .thenCompose(
            result ->
                result.match(
                    ids -> byName(ids, machine, context),
                    failure -> done(new CallResult.Failed<>(failure))));
  }

  private CompletionStage<CallResult<List<NetworkInterface>>> byName(
      List<ResourceId> ids, ResourceId machine, CallContext context) {
    CompletionStage<CallResult<List<NetworkInterface>>> all =
        done(new CallResult.Answered<>(new ArrayList<>()));
    for (ResourceId id : ids) {
      all =
          all.thenCombine(
              account.arm.networkInterface(id, context), (found, each) -> joined(found, each));
    }
    return all.thenApply(
        result ->
            result.match(
                found -> {
                  found.removeIf(each -> !each.machine().equals(Optional.of(machine)));
                  return new CallResult.Answered<>(found);
                },
                CallResult.Failed::new));
  }

  private static CallResult<List<NetworkInterface>> joined(
      CallResult<List<NetworkInterface>> all, CallResult<NetworkInterface> each) {
    return all.match(
        found ->
            each.match(
                nic -> {
                  found.add(nic);
                  return all;
                },
                CallResult.Failed::new),
        failure -> all);
  }

  private static boolean isNotFound(CallResult<?> result) {
    return result instanceof CallResult.Failed<?> failed
        && failed.failure().kind() == Failure.Kind.NOT_FOUND;
  }

  // ---- responses

  @Override
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark,
      Set<InstanceId> ids,
      Map<InstanceId, CallResult<List<NetworkInterface>>> found,
      CallContext context) {
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    Map<InstanceId, List<NetworkInterface>> seen = new TreeMap<>();
    Set<InstanceId> gone = new TreeSet<>();
    found.forEach(
        (id, result) -> {
          Optional<Failure> failure = result.match(nics -> Optional.empty(), Optional::of);
          if (isNotFound(result)) {
            gone.add(id);
          } else if (failure.isPresent()) {
            outcomes.put(id, new SyncOutcome.Failed(failure.get()));
          } else {
            result.match(nics -> seen.put(id, nics), why -> null);
          }
        });
    seen.entrySet()
        .removeIf(
            each -> {
              if (each.getValue()
                  .isEmpty()) { // a machine has an interface from its start to its end
                outcomes.put(each.getKey(), new SyncOutcome.Failed(noInterface(each.getKey())));
              }
              return each.getValue().isEmpty();
            });
    return take(mark, gone, seen, context)
        .thenApply(
            accepted -> {
              outcomes.putAll(accepted);
              return outcomes;
            });
  }

  private static Failure noInterface(InstanceId id) {
    return Failure.of(
        Failure.Kind.TRANSIENT, "noInterface", "Azure shows no interface of " + id + " yet");
  }

  /**
   * Takes in what was read.
   *
   * @param gone instances that were read by name and not found
   */
  CompletionStage<Map<InstanceId, SyncOutcome>> take(
      ReadMark mark,
      Set<InstanceId> gone,
      Map<InstanceId, List<NetworkInterface>> seen,
      CallContext context) {
    return nics(seen, context)
        .thenCompose(
            listed -> {
              Set<PoolId> unread = new TreeSet<>();
              listed
                  .values()
                  .forEach(
                      all ->
                          all.stream()
                              .map(Nic::pool)
                              .filter(pool -> !knows(pool))
                              .forEach(unread::add));
              Set<InstanceId> replaced = new TreeSet<>();
              Map<InstanceId, SyncOutcome> doubtful = doubtful(mark, listed, replaced);
              Set<InstanceId> wanted = new TreeSet<>(listed.keySet());
              wanted.addAll(gone);
              return reads
                  .accept(mark, wanted, listed, () -> account.subnets.read(unread), context)
                  .thenApply(
                      outcomes -> {
                        outcomes.putAll(doubtful);
                        reportReplaced(replaced);
                        return outcomes;
                      });
            });
  }

  /** The interfaces in the cache's form; models are read where a block may be a single. */
  private CompletionStage<Map<InstanceId, List<Nic>>> nics(
      Map<InstanceId, List<NetworkInterface>> seen, CallContext context) {
    CompletionStage<Map<InstanceId, List<Nic>>> all = done(new TreeMap<>());
    for (Map.Entry<InstanceId, List<NetworkInterface>> each : seen.entrySet()) {
      InstanceId id = each.getKey();
      all =
          all.thenCombine(
              model(id, each.getValue(), context),
              (found, blocks) -> {
                List<Nic> nics = new ArrayList<>();
                for (NetworkInterface one : each.getValue()) {
                  nics.add(
                      account.reader.read(
                          one, known(id, one), blocks.orElse(Set.of()), blocks.isPresent()));
                }
                nics.sort(Comparator.comparing(Nic::id));
                found.put(id, nics);
                return found;
              });
    }
    return all;
  }

  /** The names of blocks in the instance's model; empty where no read of it is needed. */
  private CompletionStage<Optional<Set<String>>> model(
      InstanceId id, List<NetworkInterface> seen, CallContext context) {
    boolean ambiguous =
        seen.stream().anyMatch(each -> account.reader.isAmbiguous(each, known(id, each)));
    return ambiguous
        ? account
            .arm
            .writable(ResourceId.of(id.text()), context)
            .thenApply(
                result ->
                    result.match(model -> Optional.of(blocks(model)), why -> Optional.empty()))
        : done(Optional.empty());
  }

  /** The names of blocks in a model. */
  static Set<String> blocks(WritableResource model) {
    Set<String> names = new HashSet<>();
    model
        .interfaces()
        .forEach(
            nic ->
                nic.configurations().stream()
                    .filter(each -> each.block())
                    .forEach(each -> names.add(each.name())));
    return names;
  }

  private Optional<Nic> known(InstanceId id, NetworkInterface seen) {
    return account
        .inventory
        .find(id)
        .flatMap(
            view ->
                view.interfaces().stream()
                    .filter(nic -> nic.id().text().equalsIgnoreCase(seen.id().text()))
                    .findFirst());
  }

  /**
   * Takes out the instances whose read needs another one to be believed (N44).
   *
   * @param replaced receives those that have had it
   */
  private Map<InstanceId, SyncOutcome> doubtful(
      ReadMark mark, Map<InstanceId, List<Nic>> listed, Set<InstanceId> replaced) {
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    listed
        .entrySet()
        .removeIf(
            each -> {
              InstanceId id = each.getKey();
              Replacements.Sight sight = sight(mark, id, each.getValue());
              if (sight == Replacements.Sight.REPLACED) {
                replaced.add(id);
              }
              if (sight != Replacements.Sight.DOUBTFUL) {
                return false;
              }
              outcomes.put(
                  id,
                  new SyncOutcome.Failed(
                      Failure.of(
                          Failure.Kind.TRANSIENT,
                          "addressesNotShown",
                          "a single read shows none of the addresses of " + id)));
              return true;
            });
    return outcomes;
  }

  private Replacements.Sight sight(ReadMark mark, InstanceId id, List<Nic> read) {
    List<Nic> known = account.inventory.find(id).map(InstanceView::interfaces).orElseGet(List::of);
    if (!ResourceId.of(id.text()).isUniformInstance()) {
      return Replacements.Sight.USUAL;
    }
    return account.replacements.of(id, known, read, mark.nanos());
  }

  /** Own writes of a while ago may still take precedence over what was read. */
  private void reportReplaced(Set<InstanceId> replaced) {
    for (InstanceId id : replaced) {
      boolean gone =
          account.inventory.find(id).stream()
              .flatMap(view -> view.interfaces().stream())
              .allMatch(nic -> nic.podAddresses().isEmpty());
      if (gone) {
        account.notices.report(
            AzureError.CONFIGURATIONS_REPLACED, id + " lost the addresses of its pods");
      }
    }
  }

  @Override
  public boolean knows(PoolId pool) {
    return account.pools.find(pool).isPresent();
  }

  /** What a read by name did not find is asked for nowhere else. */
  @Override
  public CompletionStage<CallResult<Map<InstanceId, ReadVerdict.Said>>> ask(
      Set<InstanceId> ids, CallContext context) {
    return done(new CallResult.Answered<>(Map.of()));
  }

  /** A node that went while its instance was read is not known again (B24). */
  @Override
  public void shown(ReadMark mark, InstanceId id) {
    if (!account.nodes.containsKey(id)) {
      account.inventory.forget(id);
    }
  }

  /** Attached interfaces by instance. */
  static Map<InstanceId, List<NetworkInterface>> byInstance(List<NetworkInterface> listed) {
    Map<InstanceId, List<NetworkInterface>> byInstance = new TreeMap<>();
    for (NetworkInterface each : listed) {
      each.machine()
          .ifPresent(
              machine ->
                  byInstance
                      .computeIfAbsent(ArmCalls.instance(machine), id -> new ArrayList<>(1))
                      .add(each));
    }
    return byInstance;
  }

  private static <T> CompletionStage<CallResult<T>> failed(
      Failure.Kind kind, String condition, String detail) {
    return done(new CallResult.Failed<>(Failure.of(kind, condition, detail)));
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedStage(value);
  }
}
