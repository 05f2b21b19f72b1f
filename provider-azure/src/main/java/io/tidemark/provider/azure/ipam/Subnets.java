package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.Subnet;
import io.tidemark.provider.azure.network.SubnetUsage;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.Together;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The subnets that interfaces are in, with what is free in them (Z39). Counts come from the usages
 * of the virtual network; where the principal may not read them, from the subnet. A subnet whose
 * count is not known is offered, and Azure decides. Thread-safe.
 */
final class Subnets {
  /** How long a count is good enough while addresses are added. */
  private static final Duration COUNT_AGE_MAX = Duration.ofSeconds(60);

  /** How long usages are not asked for after they were not permitted. */
  private static final Duration DENIED_FOR = Duration.ofHours(1);

  /** Free addresses of a subnet whose count is not known. */
  private static final int UNKNOWN = 65_536;

  private final ArmCalls arm;
  private final AccountState<Nic, Optional<Subnet>> state;
  private final OperatorNotices notices;
  private final int reserve;
  private final Object lock = new Object();
  private final Map<ResourceId, Network> networks = new HashMap<>();
  private final Map<PoolId, Long> countedNanos = new HashMap<>();
  private volatile Map<PoolId, Subnet> known = Map.of();

  /** What is known of a virtual network; guarded by the lock. */
  private static final class Network {
    private Optional<Long> countedNanos = Optional.empty();
    private Optional<Long> deniedNanos = Optional.empty();
    private Optional<Counts> counts = Optional.empty();
    private CompletableFuture<Optional<Failure>> underWay =
        CompletableFuture.completedFuture(Optional.empty());
  }

  /** The usages of a virtual network, and when they were asked for. */
  record Counts(Map<ResourceId, SubnetUsage> usages, long begunNanos) {}

  /**
   * Subnets that were not read.
   *
   * @param reserve addresses of each that are left free
   */
  Subnets(
      ArmCalls arm,
      AccountState<Nic, Optional<Subnet>> state,
      OperatorNotices notices,
      int reserve) {
    this.arm = arm;
    this.state = state;
    this.notices = notices;
    this.reserve = reserve;
  }

  /** The subnet of a pool; empty when it could not be read. */
  Optional<Subnet> find(PoolId pool) {
    return Optional.ofNullable(known.get(pool));
  }

  /** All that were read; another object when one changed. */
  Map<PoolId, Subnet> known() {
    return known;
  }

  /**
   * Reads these pools, and counts the other ones of their networks, too.
   *
   * @return ends by the context's deadline, with nothing or with why some were not read; these are
   *     pools without a count then
   */
  CompletionStage<Optional<Failure>> read(Collection<PoolId> pools) {
    Map<ResourceId, TreeSet<PoolId>> byNetwork = new TreeMap<>();
    for (PoolId pool : pools) {
      Optional<ResourceId> network = networkOf(pool);
      if (network.isEmpty() && !pool.equals(Nic.NO_POOL)) {
        uncounted(pool, state.nanos());
      } else if (network.isPresent()) {
        byNetwork.computeIfAbsent(network.get(), key -> new TreeSet<>()).add(pool);
      }
    }
    return Together.each(
            byNetwork.keySet(),
            network -> read(network, byNetwork.getOrDefault(network, new TreeSet<>())))
        .thenApply(failures -> failures.values().stream().flatMap(Optional::stream).findFirst());
  }

  /** Counts the pool's network again if its count is old; does not wait. */
  void recount(PoolId pool) {
    networkOf(pool).filter(network -> isOlderThan(network, COUNT_AGE_MAX)).ifPresent(this::count);
  }

  /** Counts every network whose count is older than this; does not wait. */
  void recountOlderThan(Duration age) {
    TreeSet<ResourceId> all = new TreeSet<>();
    state.pools().all().forEach(pool -> networkOf(pool.id()).ifPresent(all::add));
    all.stream().filter(network -> isOlderThan(network, age)).forEach(this::count);
  }

  /** Tells the metrics how old the counts of the pools are that there are. */
  void reportAges() {
    Set<PoolId> pools = new TreeSet<>();
    state.pools().all().forEach(pool -> pools.add(pool.id()));
    Map<PoolId, Long> counted;
    synchronized (lock) {
      countedNanos.keySet().retainAll(pools);
      counted = Map.copyOf(countedNanos);
    }
    counted.forEach(
        (pool, nanos) ->
            state.metrics().countAge(pool.text(), Duration.ofNanos(state.nanos() - nanos)));
  }

  private void count(ResourceId network) {
    read(network, new TreeSet<>());
  }

  private boolean isOlderThan(ResourceId network, Duration age) {
    synchronized (lock) {
      return isOver(network(network).countedNanos, age);
    }
  }

  private Network network(ResourceId id) {
    return networks.computeIfAbsent(id, key -> new Network());
  }

  private boolean isOver(Optional<Long> sinceNanos, Duration time) {
    return sinceNanos.filter(at -> state.nanos() - at < time.toNanos()).isEmpty();
  }

  private static Optional<ResourceId> networkOf(PoolId pool) {
    return ResourceId.parse(pool.text())
        .filter(id -> id.isOf("Microsoft.Network", "virtualNetworks", "subnets"))
        .flatMap(ResourceId::parent);
  }

  /** One read of a network at a time; who comes meanwhile waits for it, and reads what it lacks. */
  private CompletionStage<Optional<Failure>> read(ResourceId network, Set<PoolId> wanted) {
    CompletableFuture<Optional<Failure>> mine = new CompletableFuture<>();
    CompletableFuture<Optional<Failure>> before;
    boolean old;
    synchronized (lock) {
      Network found = network(network);
      before = found.underWay;
      old = isOver(found.countedNanos, COUNT_AGE_MAX);
      if (before.isDone()) {
        found.underWay = mine;
        found.countedNanos = old ? Optional.of(state.nanos()) : found.countedNanos;
      } else if (wanted.isEmpty()) {
        return before;
      }
    }
    if (!before.isDone()) {
      return before.thenCompose(
          ended -> {
            wanted.removeIf(pool -> state.pools().find(pool).isPresent());
            return wanted.isEmpty()
                ? CompletableFuture.completedStage(ended)
                : read(network, wanted);
          });
    }
    NetworkReading reading = new NetworkReading(arm, this, network, context());
    (old ? reading.count(pools(network, wanted)) : reading.readAlone(wanted, counts(network)))
        .thenAccept(mine::complete);
    return mine;
  }

  /** These and the known ones of the network. */
  private Set<PoolId> pools(ResourceId network, Set<PoolId> wanted) {
    TreeSet<PoolId> pools = new TreeSet<>(wanted);
    state.pools().all().stream()
        .map(Pool::id)
        .filter(pool -> networkOf(pool).filter(network::equals).isPresent())
        .forEach(pools::add);
    return pools;
  }

  private CallContext context() {
    return state.inBackground("", Priority.Rank.VERIFY);
  }

  private Optional<Counts> counts(ResourceId network) {
    synchronized (lock) {
      return network(network).counts;
    }
  }

  // ---- what a read tells

  /** Whether the usages of a network were not permitted a short while ago. */
  boolean isDenied(ResourceId network) {
    synchronized (lock) {
      return !isOver(network(network).deniedNanos, DENIED_FOR);
    }
  }

  /** The usages of a network were not permitted. */
  void denied(ResourceId network, Failure refused) {
    synchronized (lock) {
      Network found = network(network);
      found.deniedNanos = Optional.of(state.nanos());
      found.counts = Optional.empty();
    }
    notices.report(AzureError.USAGES_NOT_PERMITTED, refused.detail());
  }

  void counted(ResourceId network, Counts counts) {
    synchronized (lock) {
      network(network).counts = Optional.of(counts);
    }
  }

  boolean hasCount(PoolId pool) {
    return state.pools().find(pool).isPresent();
  }

  long nanos() {
    return state.nanos();
  }

  void learned(PoolId pool, Subnet subnet) {
    synchronized (lock) {
      if (!subnet.equals(known.get(pool))) {
        Map<PoolId, Subnet> more = new HashMap<>(known);
        more.put(pool, subnet);
        known = Map.copyOf(more);
      }
    }
    if (subnet.ipv4().size() > 1) {
      notices.report(AzureError.SUBNET_OF_SEVERAL_PREFIXES, subnet.id() + " has " + subnet.ipv4());
    }
  }

  /** So many are free as of {@code begunNanos}. */
  void free(PoolId pool, long free, long begunNanos) {
    synchronized (lock) {
      countedNanos.put(pool, begunNanos);
    }
    accept(pool, free, begunNanos);
  }

  private void accept(PoolId pool, long free, long begunNanos) {
    int left = (int) Math.max(-1, Math.min(Integer.MAX_VALUE, free - reserve));
    state
        .pools()
        .accept(Pool.read(pool, "", Optional.ofNullable(known.get(pool)), true, left), begunNanos);
  }

  /** Nobody tells how many are free. */
  void uncounted(PoolId pool, long begunNanos) {
    accept(pool, UNKNOWN, begunNanos);
  }
}
