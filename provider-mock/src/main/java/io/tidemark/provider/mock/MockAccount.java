package io.tidemark.provider.mock;

import io.tidemark.provider.kit.Creations;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.SubnetView;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** What everybody who works for one account shares. Thread-safe. */
final class MockAccount {
  static final Ladder LADDER = new Ladder(false);

  /** What says that the subnet, and not the interface or the instance, has no room. */
  static final FailureRules FAILURES =
      new FailureRules(Set.of(MockFailureClassifier.EXHAUSTED, MockFailureClassifier.FRAGMENTED));

  final MockApi api;
  final InstanceInventory<Eni> inventory;
  final PoolLedger<Subnet> pools;
  final Creations creations = new Creations();
  final OwnerTags owner;
  final TaskScheduler scheduler;
  final Duration horizon;
  private static final int SPECS_MAX = 10_000;

  private final ConcurrentHashMap<EniSpec, EniSpec> specs = new ConcurrentHashMap<>();
  volatile List<SecurityGroup> securityGroups = List.of();
  private volatile Networks networks = Networks.NONE;
  final ConcurrentHashMap<InstanceId, MockNode> nodes = new ConcurrentHashMap<>();

  MockAccount(
      MockApi api,
      InstanceInventory<Eni> inventory,
      PoolLedger<Subnet> pools,
      OwnerTags owner,
      TaskScheduler scheduler,
      Duration horizon) {
    this.api = api;
    this.inventory = inventory;
    this.pools = pools;
    this.owner = owner;
    this.scheduler = scheduler;
    this.horizon = horizon;
  }

  /** The networks as last read; the same object until they changed. */
  Networks networks() {
    return networks;
  }

  /** Takes in what a read says; a subnet that it does not list is gone. */
  void read(List<Vpc> vpcs, List<SubnetView> subnets) {
    Networks read = Networks.of(vpcs, subnets);
    if (!read.equals(networks)) {
      networks = read;
    }
    pools.accept(
        subnets.stream()
            .map(
                each ->
                    Pool.read(
                        new PoolId(each.subnet().id()),
                        each.subnet().zone(),
                        each.subnet(),
                        true,
                        each.freeAddresses()))
            .toList());
  }

  /** Brings the delete-on-termination marks of our interfaces to what the node wants. */
  void repairMarks(InterfaceRepair<Eni> repair, InstanceId id) {
    MockNode node = nodes.get(id);
    if (node == null || node.untouchable().isPresent()) {
      return;
    }
    boolean wanted = node.deleteOnTermination();
    repair.check(
        id,
        node.name(),
        eni -> owner.own(eni.tags()) && eni.deleteOnTermination() != wanted,
        eni -> eni.withDeleteOnTermination(wanted),
        (eni, context) -> api.markDeleteOnTermination(eni.id(), wanted, context));
  }

  /** One object for all nodes whose sections say the same. */
  EniSpec shared(EniSpec spec) {
    if (specs.size() > SPECS_MAX) {
      specs.clear();
    }
    EniSpec first = specs.putIfAbsent(spec, spec);
    return first == null ? spec : first;
  }

  /** A stage that has ended already. */
  static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
