package io.tidemark.provider.azure.ipam;

import io.tidemark.metrics.Metric;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.ResourceId;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The subnets that interfaces are in, with what is free in them (Z39). Counts come from the usages
 * of the virtual network; where the principal may not read them, from the subnet. A subnet whose
 * count is not known is offered, and Azure decides. Thread-safe.
 */
final class Subnets {
  /** Free addresses of a subnet whose count is not known. */
  private static final int UNKNOWN = 65_536;

  private final ArmCalls arm;
  private final AccountState<Nic, Optional<AzureSubnet>> state;
  private final OperatorNotices notices;
  private final int reserve;
  private final Object lock = new Object();
  private final ConcurrentHashMap<ResourceId, Network> networks = new ConcurrentHashMap<>();
  private final Map<PoolId, Long> countedNanos = new HashMap<>();
  private volatile Map<PoolId, AzureSubnet> known = Map.of();

  /**
   * Subnets that were not read.
   *
   * @param reserve addresses of each that are left free
   */
  Subnets(
      ArmCalls arm,
      AccountState<Nic, Optional<AzureSubnet>> state,
      OperatorNotices notices,
      int reserve) {
    this.arm = arm;
    this.state = state;
    this.notices = notices;
    this.reserve = reserve;
  }

  /** The subnet of a pool; empty when it could not be read. */
  Optional<AzureSubnet> find(PoolId pool) {
    return Optional.ofNullable(known.get(pool));
  }

  /** All that were read; another object when one changed. */
  Map<PoolId, AzureSubnet> known() {
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
            network -> network(network).read(byNetwork.getOrDefault(network, new TreeSet<>())))
        .thenApply(failures -> failures.values().stream().flatMap(Optional::stream).findFirst());
  }

  /** Counts the pool's network again if its count is old; does not wait. */
  void recount(PoolId pool) {
    networkOf(pool).ifPresent(id -> recount(id, Network.COUNT_AGE_MAX));
  }

  /** Counts every network whose count is older than this; does not wait. */
  void recountOlderThan(Duration age) {
    TreeSet<ResourceId> all = new TreeSet<>();
    state.pools().all().forEach(pool -> networkOf(pool.id()).ifPresent(all::add));
    all.forEach(id -> recount(id, age));
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
            state
                .metrics()
                .gauge(Metric.ENI_COUNT_AGE, pool.text())
                .set(Duration.ofNanos(state.nanos() - nanos)));
  }

  private void recount(ResourceId id, Duration age) {
    Network network = network(id);
    if (network.isOlderThan(age)) {
      network.read(new TreeSet<>());
    }
  }

  private Network network(ResourceId id) {
    return networks.computeIfAbsent(id, key -> new Network(arm, this, key));
  }

  private static Optional<ResourceId> networkOf(PoolId pool) {
    return ResourceId.parse(pool.text())
        .filter(id -> id.isOf("Microsoft.Network", "virtualNetworks", "subnets"))
        .flatMap(ResourceId::parent);
  }

  /** These and the known ones of a network. */
  Set<PoolId> with(Set<PoolId> wanted, ResourceId network) {
    TreeSet<PoolId> pools = new TreeSet<>(wanted);
    state.pools().all().stream()
        .map(Pool::id)
        .filter(pool -> networkOf(pool).filter(network::equals).isPresent())
        .forEach(pools::add);
    return pools;
  }

  CallContext context() {
    return state.inBackground("", Priority.Rank.VERIFY);
  }

  OperatorNotices notices() {
    return notices;
  }

  // ---- what a read tells

  boolean hasCount(PoolId pool) {
    return state.pools().find(pool).isPresent();
  }

  void learned(PoolId pool, AzureSubnet subnet) {
    synchronized (lock) {
      if (!subnet.equals(known.get(pool))) {
        Map<PoolId, AzureSubnet> more = new HashMap<>(known);
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
