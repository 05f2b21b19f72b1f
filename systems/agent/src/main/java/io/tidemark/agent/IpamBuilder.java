package io.tidemark.agent;

import io.tidemark.cluster.PoolMetadata;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.time.TaskScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * Builds an {@link Ipam}. Everything but the allocators has a default; a family without one is
 * disabled. Not thread-safe.
 */
public final class IpamBuilder {
  private record Pool(PoolName name, Allocator allocator) {}

  private record Changing(
      Set<IpFamily> families, BiFunction<PoolName, IpFamily, Allocator> first) {}

  final TaskScheduler scheduler;
  final RandomGenerator random;
  PoolMetadata metadata = PoolMetadata.NONE;
  Meters metrics = Meters.none();
  Upstream upstream = Upstream.NONE;
  private final List<Allocator> withoutPools = new ArrayList<>();
  private final List<Pool> pools = new ArrayList<>();
  private Optional<Changing> changing = Optional.empty();
  private PoolName defaultPool = new PoolName("default");
  private CoolingRule cooling = CoolingRule.DEFAULT;

  IpamBuilder(TaskScheduler scheduler, RandomGenerator random) {
    this.scheduler = scheduler;
    this.random = random;
  }

  /** Addresses of a mode without pools: whatever pool is named, they come from the default one. */
  public IpamBuilder allocator(Allocator allocator) {
    withoutPools.add(allocator);
    return this;
  }

  /** Addresses of one pool. */
  public IpamBuilder pool(PoolName name, Allocator allocator) {
    pools.add(new Pool(name, allocator));
    return this;
  }

  /**
   * Pools that appear and change while the program runs, by {@link Ipam#change}; none at first.
   *
   * @param families the enabled ones
   * @param first makes the allocator of a pool that appears, without addresses
   */
  public IpamBuilder changingPools(
      Set<IpFamily> families, BiFunction<PoolName, IpFamily, Allocator> first) {
    changing = Optional.of(new Changing(Set.copyOf(families), first));
    return this;
  }

  /** The pool for owners that prefer none; {@code default} by default. */
  public IpamBuilder defaultPool(PoolName name) {
    if (!name.isGiven()) {
      throw new IllegalArgumentException("ipam-default-ip-pool is empty; expected a name");
    }
    defaultPool = name;
    return this;
  }

  /** How long a released address pauses; {@link CoolingRule#DEFAULT} by default. */
  public IpamBuilder cooling(CoolingRule rule) {
    cooling = rule;
    return this;
  }

  /** Which pool owners prefer; by default none. */
  public IpamBuilder metadata(PoolMetadata source) {
    metadata = source;
    return this;
  }

  /** Where it counts; by default nowhere. */
  public IpamBuilder metrics(Meters meters) {
    metrics = meters;
    return this;
  }

  /** Who publishes; by default nobody. */
  public IpamBuilder upstream(Upstream port) {
    upstream = port;
    return this;
  }

  /**
   * The facade, to which the allocators belong from now on.
   *
   * @throws IllegalArgumentException when there are allocators with and without pools, or beside
   *     pools that change, or two for the same pool and family
   */
  public Ipam build() {
    if (!withoutPools.isEmpty() && !pools.isEmpty()) {
      throw new IllegalArgumentException("there are allocators with pools and without");
    }
    if (changing.isPresent()) {
      return new Ipam(this, changingShards(changing.get()));
    }
    List<Shard> shards = new ArrayList<>();
    withoutPools.forEach(each -> shards.add(new Shard(defaultPool, each, cooling)));
    pools.forEach(each -> shards.add(new Shard(each.name(), each.allocator(), cooling)));
    return new Ipam(this, new Shards(shards, defaultPool, pools.isEmpty()));
  }

  private Shards changingShards(Changing settings) {
    if (!withoutPools.isEmpty() || !pools.isEmpty()) {
      throw new IllegalArgumentException("there are pools that change and allocators that do not");
    }
    CoolingRule rule = cooling;
    return new Shards(
        settings.families(),
        defaultPool,
        (pool, family) -> new Shard(pool, settings.first().apply(pool, family), rule));
  }
}
