package io.tidemark.agent;

import io.tidemark.agent.Allocation.Denied;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of one node: allocates them to owners and takes them back (allocators 2). An owner
 * is a name for people and for the node's object, such as {@code namespace/pod} or {@code router}.
 *
 * <p>Thread-safe. No method blocks, and calls on different pools or families do not wait for each
 * other. Every expected ending is a value. A pair is two requests, one per family: others see the
 * first before the second.
 *
 * <p>An IPv4-mapped address such as {@code ::ffff:192.0.2.1} is taken as the IPv4 address, at every
 * entrance (A80).
 */
public final class Ipam {
  private static final Logger LOG = LoggerFactory.getLogger(Ipam.class);

  private final Shards shards;
  private final PoolChoice pools;
  private final Pairs pairs = new Pairs(this);
  private final Reports reports;
  private final TaskScheduler scheduler;
  private final Leases leases;
  private final Set<IpFamily> restored = EnumSet.noneOf(IpFamily.class);

  Ipam(IpamBuilder builder, Shards shards) {
    this.shards = shards;
    this.pools = new PoolChoice(shards, builder.metadata);
    this.reports = new Reports(builder.metrics, builder.upstream);
    this.scheduler = builder.scheduler;
    this.leases = new Leases(builder.scheduler, builder.random, this::leaseRanOut);
    shards.all().forEach(this::measured);
  }

  private void measured(Shard shard) {
    reports.pool(shard.family(), shard.pool(), () -> shard.counts(now()));
  }

  /**
   * A builder.
   *
   * @param scheduler its clock, and the timer of leases
   * @param random draws the ids of leases
   */
  public static IpamBuilder builder(TaskScheduler scheduler, RandomGenerator random) {
    return new IpamBuilder(scheduler, random);
  }

  // ---- allocate

  /**
   * Allocates the address that {@code text} is, as {@link #allocate(IpAddress, String, PoolName,
   * UpstreamSync)} does.
   */
  public Allocation allocate(String text, String owner, PoolName pool, UpstreamSync sync) {
    Optional<IpAddress> ip = IpAddress.tryParse(text);
    return ip.isEmpty()
        ? new Denied(Denial.invalidAddress(text))
        : allocate(ip.get(), owner, pool, sync);
  }

  /** Allocates this address of a pool, which must be named. */
  public Allocation allocate(IpAddress ip, String owner, PoolName pool, UpstreamSync sync) {
    IpAddress address = ip.unmapped();
    Shard shard = pools.named(address, pool);
    Allocation allocation =
        shard == null
            ? new Denied(pools.missing(address, pool))
            : shard.allocate(address, owner, now());
    return reports.ended(allocation, address.family(), pool, owner, sync);
  }

  /**
   * Allocates an address that its owner has already, since before a restart: also one that is
   * reserved, withheld or not in the pool. Nobody else gets it until it is released.
   */
  public Allocation restore(IpAddress ip, String owner, PoolName pool) {
    IpAddress address = ip.unmapped();
    Shard shard = shards.findOrAdd(address.family(), pool, this::measured);
    Allocation allocation =
        shard == null || !pool.isGiven()
            ? new Denied(pools.missing(address, pool))
            : shard.restore(address, owner, now());
    return reports.ended(allocation, address.family(), pool, owner, UpstreamSync.DEFER);
  }

  /**
   * Allocates any address of a family.
   *
   * @param pool {@link PoolName#NOT_GIVEN} for the pool that the owner prefers
   */
  public Allocation allocateNext(IpFamily family, String owner, PoolName pool, UpstreamSync sync) {
    if (!shards.serves(family)) {
      Denied denied = new Denied(Denial.familyUnavailable(family));
      return reports.ended(denied, family, pool, owner, sync);
    }
    PoolChoice.Source source = pools.source(family, owner, pool);
    return reports.ended(source.allocateNext(owner, now()), family, source.pool(), owner, sync);
  }

  /**
   * Allocates any address of each enabled family, IPv6 first; all of them or none. When one family
   * has no address, none of the other is taken, not even for a moment.
   */
  public PairAllocation allocateNextPair(String owner, PoolName pool, UpstreamSync sync) {
    List<IpFamily> families = Pairs.ORDER.stream().filter(shards::serves).toList();
    for (IpFamily family : families) {
      PoolChoice.Source source = pools.source(family, owner, pool);
      Optional<Denial> unable = source.unable(owner, now());
      if (unable.isPresent()) {
        Denied denied = new Denied(unable.get());
        reports.ended(denied, family, source.pool(), owner, sync);
        return denied;
      }
    }
    return pairs.allocate(families, family -> allocateNext(family, owner, pool, sync));
  }

  /**
   * Allocates as {@link #allocateNextPair(String, PoolName, UpstreamSync)} does and starts a lease
   * of each address; all or nothing.
   *
   * @param timeout of the leases; zero for no leases
   */
  public PairAllocation allocateNextPair(
      String owner, PoolName pool, UpstreamSync sync, Duration timeout) {
    return leased(allocateNextPair(owner, pool, sync), timeout);
  }

  /**
   * Starts a lease of each address of a pair; if one cannot start, releases them all.
   *
   * @param pair what was just allocated; one that was denied is returned as it is
   * @param timeout of the leases; zero for no leases
   */
  public PairAllocation leased(PairAllocation pair, Duration timeout) {
    return pair instanceof PairAllocation.Granted granted && !timeout.isZero()
        ? pairs.leased(granted, timeout)
        : pair;
  }

  // ---- release

  /**
   * Releases an address of a pool, which must be named, and ends its lease. Releasing what is not
   * allocated succeeds.
   *
   * @return why nothing was done; empty when it is released
   */
  public Optional<Denial> release(IpAddress ip, PoolName pool) {
    IpAddress address = ip.unmapped();
    if (!pool.isGiven() || !shards.serves(address.family())) {
      return Optional.of(pools.missing(address, pool));
    }
    Shard shard = pools.named(address, pool);
    RunningLease lease = shard == null ? null : shard.release(address, now());
    if (lease != null) {
      lease.end();
    }
    reports.released(address.family(), 1);
    return Optional.empty();
  }

  /**
   * Releases every address of an owner, in all pools, and ends their leases.
   *
   * @return how many there were
   */
  public int releaseAll(String owner) {
    int all = 0;
    for (Shard shard : shards.all().toList()) {
      List<RunningLease> ended = new ArrayList<>();
      int released = shard.releaseAll(owner, now(), ended);
      ended.forEach(RunningLease::end);
      reports.released(shard.family(), released);
      all += released;
    }
    return all;
  }

  /**
   * An address was released while nobody ran this, {@code age} ago: the rest of its pause begins.
   * Has no effect when it is not free.
   *
   * @param age 0 or more
   */
  public void cool(IpAddress ip, PoolName pool, Duration age) {
    IpAddress address = ip.unmapped();
    Shard shard = shards.find(address.family(), pool);
    if (shard != null) {
      shard.cool(address, age.toNanos(), now());
    }
  }

  // ---- leases

  /** Starts a lease of an address that is allocated and has none. */
  public Lease.Start startLease(IpAddress ip, PoolName pool, Duration timeout) {
    IpAddress address = ip.unmapped();
    Shard shard = pools.named(address, pool);
    return shard == null
        ? new Lease.Start.Refused(pools.missing(address, pool))
        : leases.start(shard, address, timeout);
  }

  private void leaseRanOut(Shard shard, Lease lease) {
    LOG.warn("{} of pool {} is released, because its lease ran out", lease.ip(), lease.pool());
    reports.released(shard.family(), 1);
  }

  /**
   * Stops a lease; its address stays allocated.
   *
   * @return why nothing was done, which means that the address may be another owner's by now; empty
   *     when it is stopped
   */
  public Optional<Denial> stopLease(Lease lease) {
    Lease asked = new Lease(lease.id(), lease.ip().unmapped(), lease.pool());
    Shard shard = pools.named(asked.ip(), asked.pool());
    return shard == null
        ? Optional.of(pools.missing(asked.ip(), asked.pool()))
        : leases.stop(shard, asked);
  }

  // ---- exclusions

  /**
   * Reserves a block. From now on none of its addresses is handed out, even if the node gets the
   * block later. An address that is in use stays in use until it is released. Reserving the same
   * block again gives it to the new owner. Has no effect on a pool that the node does not have and
   * cannot get.
   *
   * @param owner appears in the denial of a request for an address of the block
   */
  public void exclude(Cidr block, String owner, PoolName pool) {
    Cidr reserved = block.unmapped();
    Shard shard = shards.findOrAdd(reserved.family(), pool, this::measured);
    if (shard != null) {
      shard.exclude(reserved, owner);
    }
  }

  /** Withdraws the reservation of exactly this block, if there is one. */
  public void include(Cidr block, PoolName pool) {
    Cidr reserved = block.unmapped();
    Shard shard = shards.find(reserved.family(), pool);
    if (shard != null) {
      shard.include(reserved, now());
    }
  }

  // ---- state

  /**
   * Changes the addresses of a pool at one instant. What is in use stays in use, also if it is not
   * in the pool any more; what cools is forgotten with its address. In a mode whose pools change, a
   * pool that is not known appears.
   *
   * @return the pool at the end of that instant; empty when there is none
   */
  public Optional<PoolSnapshot> change(IpFamily family, PoolName pool, PoolChange change) {
    return Optional.ofNullable(shards.findOrAdd(family, pool, this::measured))
        .map(it -> it.change(change, now()));
  }

  /** The allocations, for the status. */
  public IpamDump dump() {
    return IpamDump.of(snapshot(), shards.defaultPool());
  }

  /** Who has allocated an address of a pool; empty when nobody has. */
  public Optional<String> ownerOf(IpAddress ip, PoolName pool) {
    IpAddress address = ip.unmapped();
    Shard shard = shards.find(address.family(), pool);
    return shard == null ? Optional.empty() : shard.ownerOf(address);
  }

  /**
   * Why the default pool could not give an owner an address of each enabled family now; empty when
   * it could.
   */
  public Optional<Denial> unable() {
    return Pairs.ORDER.stream()
        .filter(shards::serves)
        .flatMap(family -> pools.defaultSource(family).unable("", now()).stream())
        .findFirst();
  }

  /** Every pool, each at one instant, for people who look for a fault. */
  public List<PoolSnapshot> snapshot() {
    return shards.all().filter(Shard::hasAddresses).map(shard -> shard.snapshot(now())).toList();
  }

  /**
   * All addresses of a family that survived a restart are allocated again: from now on something
   * may be given back upstream. Calling it again does nothing.
   */
  public void restoreFinished(IpFamily family) {
    boolean first;
    synchronized (restored) {
      first = restored.add(family);
    }
    if (first) {
      reports.restoreFinished(family);
    }
  }

  private long now() {
    return scheduler.time().nanos();
  }
}
