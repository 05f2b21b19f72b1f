package io.tidemark.provider.mock;

import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.provider.kit.step.StaticAddressBinding;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.SubnetView;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The parts that all components of one account share. Thread-safe. */
final class MockAccount {
  static final Ladder LADDER = new Ladder(false);

  /** The errors which say that the subnet, and not the interface or the instance, has no room. */
  static final FailureRules FAILURES =
      new FailureRules(Set.of(MockFailureClassifier.EXHAUSTED, MockFailureClassifier.FRAGMENTED));

  final MockApi api;
  final AccountState<MockInterface, Subnet> state;
  final InstanceInventory<MockInterface> inventory;
  final PoolLedger<Subnet> pools;
  final MockTags owner;
  final MockAliasRanges aliases;
  private final StaticAddressBinding<MockInterface> binding;
  private static final int SPECS_MAX = 10_000;

  private final ConcurrentHashMap<EniSpec, EniSpec> specs = new ConcurrentHashMap<>();
  volatile List<SecurityGroup> securityGroups = List.of();
  private volatile MockNetworks networks = MockNetworks.NONE;
  final ConcurrentHashMap<InstanceId, MockNode> nodes = new ConcurrentHashMap<>();

  MockAccount(
      MockApi api, AccountState<MockInterface, Subnet> state, MockTags owner, Claims claims) {
    this.api = api;
    this.state = state;
    this.inventory = state.inventory();
    this.pools = state.pools();
    this.owner = owner;
    this.aliases = new MockAliasRanges(api, state, claims);
    this.binding =
        new StaticAddressBinding<>(state, "public address", MockInterface::withPublicAddress);
  }

  /** The networks as last read; the same object until they changed. */
  MockNetworks networks() {
    return networks;
  }

  /** A subnet that is not listed is gone. */
  private void read(List<Vpc> vpcs, List<SubnetView> subnets) {
    MockNetworks read = MockNetworks.of(vpcs, subnets);
    if (!read.equals(networks)) {
      networks = read;
    }
    pools.accept(
        subnets.stream()
            .map(
                each ->
                    new Pool<>(
                        new PoolId(each.subnet().id()),
                        each.subnet().zone(),
                        each.subnet(),
                        true,
                        each.freeAddresses(),
                        OptionalInt.of(each.freeBlocks()),
                        false,
                        false))
            .toList());
  }

  /** Brings the delete-on-termination marks of our interfaces to what the node wants. */
  void repairMarks(InterfaceRepair<MockInterface> repair, InstanceId id) {
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

  /** Gives the instance's own interface a public address of these tags. */
  CompletionStage<AllocationOutcome> bindStaticAddress(
      InstanceId id, MockInterface own, Map<String, String> tags, CallContext context) {
    StaticAddressBinding.Cloud requests =
        new StaticAddressBinding.Cloud() {
          @Override
          public CompletionStage<CallResult<List<StaticAddressBinding.Candidate>>> find(
              Map<String, String> wanted) {
            return api.publicAddresses(wanted, context)
                .thenApply(
                    result ->
                        result.map(found -> found.stream().map(each -> candidate(each)).toList()));
          }

          private StaticAddressBinding.Candidate candidate(PublicAddress each) {
            Optional<String> holder = each.interfaceId();
            return holder.filter(own.id().text()::equals).isPresent()
                ? StaticAddressBinding.Candidate.held(each.allocationId(), each.address())
                : new StaticAddressBinding.Candidate(
                    each.allocationId(),
                    holder.isPresent()
                        ? StaticAddressBinding.Holder.ANOTHER
                        : StaticAddressBinding.Holder.NOBODY,
                    () -> api.associate(each, own.id(), context));
          }

          @Override
          public boolean isTaken(Failure refusal) {
            return refusal.condition().equals(MockFailureClassifier.ALREADY_ASSOCIATED);
          }
        };
    return binding.run(id, own, requests, tags, context);
  }

  /** Reads the VPCs, then the subnets; ends with why that failed, or empty. */
  CompletionStage<Optional<Failure>> readNetworks(CallContext context) {
    return api.vpcs(context)
        .thenCompose(
            result ->
                result.match(
                    vpcs -> readSubnets(vpcs, context), failure -> done(Optional.of(failure))));
  }

  private CompletionStage<Optional<Failure>> readSubnets(List<Vpc> vpcs, CallContext context) {
    return api.subnets(context)
        .thenApply(
            result ->
                result.match(
                    subnets -> {
                      read(vpcs, subnets);
                      return Optional.empty();
                    },
                    Optional::of));
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
