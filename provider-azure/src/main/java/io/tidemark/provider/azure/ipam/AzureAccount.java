package io.tidemark.provider.azure.ipam;

import io.tidemark.metrics.Meters;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.ipam.MachineReads.UnderWay;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.Creations;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.provider.kit.step.StaticAddressBinding;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.PoolId;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The parts that all components of one principal share. Thread-safe. */
public final class AzureAccount {
  /** After this time the end of an operation is asked for, as long as none has ended (Z8). */
  static final Duration FIRST_POLL = Duration.ofSeconds(10);

  static final Ladder LADDER = new Ladder(false, false);

  /** The errors which say that the subnet, and not the machine, has no room. */
  static final FailureRules FAILURES =
      new FailureRules(Set.of(ArmCondition.SUBNET_FULL, ArmCondition.FRAGMENTED));

  final ArmCalls arm;
  final AzureSettings settings;
  final AccountState<Nic, Optional<AzureSubnet>> state;
  final InstanceInventory<Nic> inventory;
  final PoolLedger<Optional<AzureSubnet>> pools;
  final ConfigurationNames names;
  final Spellings spellings = new Spellings();
  final NicReader reader;
  final Subnets subnets;
  final StaticAddressBinding<Nic> binding;
  final OperatorNotices notices;

  /** Operations that went on when their write was given up (Z20). */
  final ConcurrentHashMap<InstanceId, UnderWay> underWay = new ConcurrentHashMap<>();

  final EmptiedInstances replacements;

  /**
   * Instances whose interfaces may not be what their models say: another operator, or the one
   * before us, may have removed addresses that were promised (Z20). Read with their models.
   */
  final Set<InstanceId> unsettled = ConcurrentHashMap.newKeySet();

  private final OperationTimes instanceTimes = new OperationTimes(FIRST_POLL);
  private final OperationTimes interfaceTimes = new OperationTimes(FIRST_POLL);
  private final ConcurrentHashMap<Scope, Set<InstanceId>> scopes = new ConcurrentHashMap<>();
  private volatile boolean blocksRefused;

  /**
   * One that makes no request yet.
   *
   * @param api called inside of requests alone, after the start
   * @param calls with the limits of {@link io.tidemark.provider.azure.network.ArmCallLimits#of}
   * @param random for names of configurations
   */
  public AzureAccount(
      Supplier<ArmApi> api,
      CloudCalls calls,
      AccessTokens tokens,
      AzureSettings settings,
      TaskScheduler scheduler,
      RandomGenerator random,
      Meters metrics,
      OperatorNotices notices) {
    this.arm = new ArmCalls(api, calls, tokens, scheduler, settings.pollInterval());
    this.settings = settings;
    this.notices = notices;
    this.inventory =
        new InstanceInventory<>(scheduler.time(), settings.overlayExpiry(), settings.horizon());
    this.pools =
        new PoolLedger<>(scheduler.time(), metrics, Duration.ZERO, settings.release().quarantine());
    this.state =
        new AccountState<>(
            inventory,
            pools,
            new Creations(scheduler.time(), settings.horizon()),
            FAILURES,
            metrics,
            scheduler,
            settings.horizon(),
            new Cancellation());
    this.binding = new StaticAddressBinding<>(state, "public IP", Nic::withPublicAddress);
    this.names = new ConfigurationNames(settings.namePrefix(), random);
    this.reader = new NicReader(names, spellings, settings.release().foreign());
    this.replacements = new EmptiedInstances(settings.horizon());
    this.subnets = new Subnets(arm, state, notices, settings.subnetReserve());
  }

  /** A node names this instance from now on. */
  void add(InstanceId id) {
    ResourceId.machine(id.text())
        .filter(machine -> settings.fence().blocked(machine).isEmpty())
        .flatMap(machine -> Scope.of(id))
        .ifPresent(
            scope ->
                scopes.compute(
                    scope,
                    (key, old) -> {
                      Set<InstanceId> ids = old == null ? ConcurrentHashMap.newKeySet() : old;
                      ids.add(id);
                      return ids;
                    }));
  }

  /** No node names this instance any more. */
  void remove(InstanceId id) {
    underWay.remove(id);
    replacements.forget(id);
    unsettled.remove(id);
    arm.forget(id);
    interfaces(id).forEach(nic -> spellings.forget(nic.id().text()));
    Scope.of(id)
        .ifPresent(
            scope ->
                scopes.computeIfPresent(
                    scope, (key, ids) -> ids.remove(id) && ids.isEmpty() ? null : ids));
  }

  /** The instances that nodes name, by what lists them, in the order of the scopes. */
  SortedMap<Scope, Set<InstanceId>> scopes() {
    return new TreeMap<>(scopes);
  }

  /** The known interfaces of an instance, ids ascending. */
  List<Nic> interfaces(InstanceId id) {
    return inventory.find(id).map(InstanceView::interfaces).orElse(List.of());
  }

  void forgetUnusedPools() {
    Set<PoolId> used = new HashSet<>();
    inventory.ids().forEach(id -> interfaces(id).forEach(nic -> used.add(nic.pool())));
    pools.retain(used);
  }

  /** How many instances that nodes name are in the scope of this one. */
  int neighbours(InstanceId id) {
    return Scope.of(id).map(scopes::get).map(Set::size).orElse(1);
  }

  OperationTimes times(boolean uniform) {
    return uniform ? instanceTimes : interfaceTimes;
  }

  /** Whether instances of Uniform sets are asked for blocks. */
  boolean blocksOnScaleSets() {
    return settings.blocksOnScaleSets() && !blocksRefused;
  }

  /** An instance was given a single where it asked for a block: none is asked again (Z31). */
  void blocksRefused(ResourceId instance) {
    if (!blocksRefused) {
      blocksRefused = true;
      notices.report(
          AzureError.BLOCKS_NOT_GIVEN, instance + " asked for a block and got a single address");
    }
  }

  /** Whether an operation on the instance goes on, as far as it is known. */
  boolean isUnderWay(InstanceId id) {
    return underWay.containsKey(id) || unsettled.contains(id);
  }
}
