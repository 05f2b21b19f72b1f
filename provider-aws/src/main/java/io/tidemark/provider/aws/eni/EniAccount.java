package io.tidemark.provider.aws.eni;

import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.Creations;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.provider.kit.step.StaticAddressBinding;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** The parts that all components of one account and region share. Thread-safe. */
final class EniAccount {
  static final Ladder LADDER = new Ladder(true);

  /** The errors which say that the subnet, and not the interface or the instance, has no room. */
  static final FailureRules FAILURES =
      new FailureRules(
          Set.of(Ec2Condition.SUBNET_EXHAUSTED.text(), Ec2Condition.PREFIX_EXHAUSTED.text()));

  private static final int SPECS_MAX = 10_000;

  /** How long nobody creates an interface once the region's quota of them was met (1.3). */
  static final Duration QUOTA_PAUSE = Duration.ofMinutes(5);

  static final Failure QUOTA_USED_UP =
      Ec2Condition.REGION_QUOTA.failure(
          "the region's quota of network interfaces was used up a short while ago");

  final Ec2Calls ec2;
  final AccountState<AwsEni, AwsSubnet> state;
  final InstanceInventory<AwsEni> inventory;
  final PoolLedger<AwsSubnet> pools;
  final EniSettings settings;
  final OwnerTags owner;
  final Limits limits;
  final TaskScheduler scheduler;
  final Meters metrics;
  final Creations creations;
  final LearnedLimits learned;
  private final AtomicBoolean primariesTold = new AtomicBoolean();
  private volatile OperatorNotices notices = OperatorNotices.NONE;
  final IdleInstances idle;

  /** Instances that lack what the settings select instances by. */
  final Set<InstanceId> outside = ConcurrentHashMap.newKeySet();

  final NamedInstances named = new NamedInstances();
  final Whereabouts whereabouts;
  private volatile OptionalLong quotaMetNanos = OptionalLong.empty();

  /** Creations whose answer was lost; the same token needs the same request once more. */
  final ConcurrentHashMap<InstanceId, CreateInterfaceRequest> lostCreations =
      new ConcurrentHashMap<>();

  final StaticAddressBinding<AwsEni> binding;

  volatile List<SecurityGroup> securityGroups = List.of();
  private final Object lock = new Object();
  private volatile Networks networks = Networks.NONE;
  private final ConcurrentHashMap<EniSpec, EniSpec> specs = new ConcurrentHashMap<>();

  EniAccount(
      Ec2Calls ec2,
      EniSettings settings,
      OwnerTags owner,
      Limits limits,
      TaskScheduler scheduler,
      Meters metrics,
      Whereabouts whereabouts,
      Cancellation shutdown) {
    this.metrics = metrics;
    this.whereabouts = whereabouts;
    this.ec2 = ec2;
    this.settings = settings;
    this.owner = owner;
    this.limits = limits;
    this.scheduler = scheduler;
    this.inventory =
        new InstanceInventory<>(scheduler.time(), settings.overlayExpiry(), settings.horizon());
    this.idle = new IdleInstances(ec2, scheduler, inventory::beginRead, shutdown);
    this.learned = new LearnedLimits(scheduler.time());
    this.pools = new PoolLedger<>(scheduler.time(), metrics, PoolLedger.PAUSE);
    this.creations = new Creations(scheduler.time(), settings.collectionAge());
    this.state =
        new AccountState<>(
            inventory,
            pools,
            creations,
            FAILURES,
            metrics,
            scheduler,
            settings.horizon(),
            shutdown);
    this.binding = new StaticAddressBinding<>(state, "EIP", AwsEni::withPublicAddress);
  }

  void quotaMet() {
    quotaMetNanos = OptionalLong.of(state.nanos());
  }

  boolean isQuotaUsedUp() {
    OptionalLong met = quotaMetNanos;
    return met.isPresent() && state.nanos() - met.getAsLong() < QUOTA_PAUSE.toNanos();
  }

  /** Where problems of the whole operator are reported; nowhere at first. */
  void reportTo(OperatorNotices port) {
    notices = port;
  }

  /** A node lets primary addresses serve pods; the first one is reported. */
  void primariesServe(String node) {
    if (primariesTold.compareAndSet(false, true)) {
      notices.report(AwsError.PRIMARY_SERVES_PODS, "use-primary-address is set on node " + node);
    }
  }

  void read(List<AwsSubnet> subnets) {
    pools.accept(subnets.stream().map(EniAccount::pool).toList());
    networks(known -> known.withSubnets(subnets));
  }

  /** A subnet with EC2's count. */
  static Pool<AwsSubnet> pool(AwsSubnet each) {
    return Pool.read(
        each.id(), each.availabilityZone(), each, each.usable(), each.availableAddresses());
  }

  /** The networks as last read; the same object until they changed. */
  Networks networks() {
    return networks;
  }

  void networks(UnaryOperator<Networks> how) {
    synchronized (lock) {
      networks = how.apply(networks);
    }
  }

  /** Why an instance is missing when it is not alone in that; empty otherwise. */
  Optional<Blocked> elsewhere(InstanceId id) {
    return named.isElsewhere(id)
        ? Optional.of(
            new Blocked(
                BlockedReason.INSTANCES_ELSEWHERE,
                "neither "
                    + id
                    + " nor any other instance that the nodes name exists in "
                    + whereabouts.text()))
        : Optional.empty();
  }

  /** An interface that we did not make takes its place alone, where the settings say so (16). */
  AwsEni asManaged(AwsEni eni) {
    return settings.options().manageForeign() || eni.isOwn() || owner.created(eni.tags())
        ? eni
        : eni.unmanaged();
  }

  /** One object for all nodes whose sections say the same. */
  EniSpec shared(EniSpec spec) {
    if (specs.size() > SPECS_MAX) {
      specs.clear();
    }
    EniSpec first = specs.putIfAbsent(spec, spec);
    return first == null ? spec : first;
  }

  /** An interface was detached from its instance. */
  static Change<AwsEni> detached(InterfaceId id) {
    return interfaces -> interfaces.stream().filter(each -> !each.id().equals(id)).toList();
  }

  static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
