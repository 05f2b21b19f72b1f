package io.tidemark.agent;

import io.tidemark.agent.Allocation.Denied;
import io.tidemark.agent.Allocation.Granted;
import io.tidemark.cluster.PoolMetadata;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.AllocatorMetrics;
import io.tidemark.metrics.AllocatorMetrics.Outcome;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
  private static final List<IpFamily> PAIR_ORDER = List.of(IpFamily.IPV6, IpFamily.IPV4);

  private final Shards shards;
  private final TaskScheduler scheduler;
  private final Leases leases;
  private final PoolMetadata metadata;
  private final AllocatorMetrics metrics;
  private final Upstream upstream;
  private final Set<IpFamily> restored = EnumSet.noneOf(IpFamily.class);

  Ipam(IpamBuilder builder, Shards shards) {
    this.shards = shards;
    this.scheduler = builder.scheduler;
    this.leases = new Leases(builder.scheduler, builder.random, this::leaseRanOut);
    this.metadata = builder.metadata;
    this.metrics = builder.metrics;
    this.upstream = builder.upstream;
    shards.all().forEach(this::measured);
  }

  private void measured(Shard shard) {
    metrics.pool(word(shard.family()), shard.pool().value(), () -> shard.counts(now()));
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
        ? new Denied(new Denial.InvalidAddress(text))
        : allocate(ip.get(), owner, pool, sync);
  }

  /** Allocates this address of a pool, which must be named. */
  public Allocation allocate(IpAddress ip, String owner, PoolName pool, UpstreamSync sync) {
    IpAddress address = ip.unmapped();
    Shard shard = shards.find(address.family(), pool);
    Allocation allocation =
        shard == null || !pool.isGiven()
            ? new Denied(noShard(address, pool))
            : shard.allocate(address, owner);
    return published(counted(address.family(), allocation), address.family(), pool, owner, sync);
  }

  /**
   * Allocates an address that its owner has already, since before a restart: also one that is
   * reserved, withheld or not in the pool. Nobody else gets it until it is released.
   */
  public Allocation restore(IpAddress ip, String owner, PoolName pool) {
    IpAddress address = ip.unmapped();
    Shard shard = shards.findOrAdd(address.family(), pool, this::measured);
    return shard == null || !pool.isGiven()
        ? new Denied(noShard(address, pool))
        : shard.restore(address, owner);
  }

  /**
   * Allocates any address of a family.
   *
   * @param pool {@link PoolName#NOT_GIVEN} for the pool that the owner prefers
   */
  public Allocation allocateNext(IpFamily family, String owner, PoolName pool, UpstreamSync sync) {
    if (!shards.serves(family)) {
      return new Denied(new Denial.FamilyUnavailable(family));
    }
    Source source = source(family, owner, pool);
    Allocation allocation = counted(family, source.allocateNext(owner, now()));
    return published(allocation, family, source.pool(), owner, sync);
  }

  /** The shard that an address is to come from, or why there is none. */
  private Source source(IpFamily family, String owner, PoolName pool) {
    PoolName from = pool;
    if (!pool.isGiven()) {
      PoolMetadata.Answer answer = metadata.poolOf(owner, family);
      if (answer instanceof PoolMetadata.Answer.Unknown unknown) {
        return new Source(pool, null, new Denial.MetadataFailure(owner, unknown.reason()));
      }
      from =
          answer instanceof PoolMetadata.Answer.Named named
              ? new PoolName(named.pool())
              : shards.defaultPool();
    }
    return new Source(from, shards.find(family, from), new Denial.PoolNotReady(from, family));
  }

  /** The denial counts when there is no shard. */
  private record Source(PoolName pool, @Nullable Shard shard, Denial denial) {
    Allocation allocateNext(String owner, long now) {
      return shard == null ? new Denied(denial) : shard.allocateNext(owner, now);
    }

    Optional<Denial> unable(String owner, long now) {
      return shard == null ? Optional.of(denial) : shard.unable(owner, now);
    }
  }

  /**
   * Allocates any address of each enabled family, IPv6 first; all of them or none. When one family
   * has no address, none of the other is taken, not even for a moment.
   */
  public PairAllocation allocateNextPair(String owner, PoolName pool, UpstreamSync sync) {
    for (IpFamily family : PAIR_ORDER) {
      if (shards.serves(family)) {
        Source source = source(family, owner, pool);
        Optional<Denial> unable = source.unable(owner, now());
        if (unable.isPresent()) {
          Allocation denied = counted(family, new Denied(unable.get()));
          return (Denied) published(denied, family, source.pool(), owner, sync);
        }
      }
    }
    List<AllocationResult> held = new ArrayList<>();
    for (IpFamily family : PAIR_ORDER) {
      if (shards.serves(family)) {
        Allocation next = allocateNext(family, owner, pool, sync);
        if (next instanceof Denied denied) {
          held.forEach(this::giveBack);
          return denied;
        }
        held.add(((Granted) next).result());
      }
    }
    return pair(held);
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
    if (timeout.isZero() || !(pair instanceof PairAllocation.Granted granted)) {
      return pair;
    }
    List<AllocationResult> held =
        Stream.of(granted.ipv4(), granted.ipv6()).flatMap(Optional::stream).toList();
    List<AllocationResult> leased = new ArrayList<>();
    for (AllocationResult each : held) {
      Lease.Start start = startLease(each.ip(), each.pool(), timeout);
      if (start instanceof Lease.Start.Refused refused) {
        held.forEach(this::giveBack);
        return new Denied(refused.denial());
      }
      leased.add(each.with(((Lease.Start.Started) start).lease()));
    }
    return pair(leased);
  }

  private static PairAllocation pair(List<AllocationResult> results) {
    return new PairAllocation.Granted(
        ofFamily(results, IpFamily.IPV4), ofFamily(results, IpFamily.IPV6));
  }

  private static Optional<AllocationResult> ofFamily(
      List<AllocationResult> results, IpFamily family) {
    return results.stream().filter(each -> each.ip().family() == family).findFirst();
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
      return Optional.of(noShard(address, pool));
    }
    Shard shard = shards.find(address.family(), pool);
    RunningLease lease = shard == null ? null : shard.release(address, now());
    if (lease != null) {
      lease.end();
    }
    metrics.released(word(address.family()));
    upstream.changed();
    return Optional.empty();
  }

  /**
   * Releases every address of an owner, in all pools, and ends their leases.
   *
   * @return how many there were
   */
  public int releaseAll(String owner) {
    List<RunningLease> leases = new ArrayList<>();
    int all = 0;
    for (Shard shard : shards.all().toList()) {
      int released = shard.releaseAll(owner, now(), leases);
      for (int i = 0; i < released; i++) {
        metrics.released(word(shard.family()));
      }
      all += released;
    }
    leases.forEach(RunningLease::end);
    if (all > 0) {
      upstream.changed();
    }
    return all;
  }

  /**
   * An address was released while nobody ran this, {@code age} ago: the rest of its pause begins.
   * Has no effect when it is not free.
   */
  public void cool(IpAddress ip, PoolName pool, Duration age) {
    IpAddress address = ip.unmapped();
    Shard shard = shards.find(address.family(), pool);
    if (shard != null) {
      shard.cool(address, age.toNanos(), now());
    }
  }

  private void giveBack(AllocationResult result) {
    Optional<Denial> unused = release(result.ip(), result.pool());
  }

  // ---- leases

  /** Starts a lease of an address that is allocated and has none. */
  public Lease.Start startLease(IpAddress ip, PoolName pool, Duration timeout) {
    IpAddress address = ip.unmapped();
    Shard shard = shards.find(address.family(), pool);
    if (shard == null || !pool.isGiven()) {
      return new Lease.Start.Refused(noShard(address, pool));
    }
    return leases.start(shard, address, timeout);
  }

  private void leaseRanOut(Shard shard, Lease lease) {
    LOG.warn("{} of pool {} is released, because its lease ran out", lease.ip(), lease.pool());
    metrics.released(word(shard.family()));
    upstream.changed();
  }

  /**
   * Stops a lease; its address stays allocated.
   *
   * @return why nothing was done, which means that the address may be another owner's by now; empty
   *     when it is stopped
   */
  public Optional<Denial> stopLease(Lease lease) {
    Lease asked = new Lease(lease.id(), lease.ip().unmapped(), lease.pool());
    Shard shard = shards.find(asked.ip().family(), asked.pool());
    if (shard == null || !asked.pool().isGiven()) {
      return Optional.of(noShard(asked.ip(), asked.pool()));
    }
    return leases.stop(shard, asked);
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
      shard.exclude(reserved, owner, now());
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

  /** What is allocated, for the status. */
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
    return PAIR_ORDER.stream()
        .filter(shards::serves)
        .flatMap(family -> source(family, "", shards.defaultPool()).unable("", now()).stream())
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
      upstream.restoreFinished(family);
    }
  }

  // ---- parts

  /** Why there is no shard for a request about one address. */
  private Denial noShard(IpAddress ip, PoolName pool) {
    if (!pool.isGiven()) {
      return new Denial.PoolRequired(ip);
    }
    return shards.serves(ip.family())
        ? new Denial.PoolNotReady(pool, ip.family())
        : new Denial.FamilyDisabled(ip.family());
  }

  private Allocation counted(IpFamily family, Allocation allocation) {
    if (allocation instanceof Denied denied) {
      metrics.attempted(word(family), outcome(denied.denial()));
    } else {
      metrics.attempted(word(family), Outcome.SUCCESS);
      metrics.allocated(word(family));
    }
    return allocation;
  }

  private static Outcome outcome(Denial denial) {
    return denial instanceof Denial.Exhausted || denial instanceof Denial.PoolNotReady
        ? Outcome.EXHAUSTED
        : Outcome.ERROR;
  }

  /** Tells the upstream of an address that was taken, or of one that is wanted and not there. */
  private Allocation published(
      Allocation allocation, IpFamily family, PoolName pool, String owner, UpstreamSync sync) {
    if (allocation instanceof Granted) {
      upstream.served(pool, family, owner);
    } else if (outcome(((Denied) allocation).denial()) == Outcome.EXHAUSTED) {
      upstream.lacking(pool, family, owner);
    } else {
      return allocation;
    }
    if (sync == UpstreamSync.NOW) {
      upstream.changed();
    }
    return allocation;
  }

  /** The family as metrics and the reference's interface write it. */
  private static String word(IpFamily family) {
    return family == IpFamily.IPV4 ? "ipv4" : "ipv6";
  }

  private long now() {
    return scheduler.time().nanos();
  }
}
