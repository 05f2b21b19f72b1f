package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.AllocatorMetrics.AddressCounts;
import io.tidemark.time.CoolingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One family of one pool: which address is free and who holds the others. Every address of the
 * allocator is in exactly one state: free, withheld by the allocator, in use, cooling or excluded;
 * the latter three are taken in the allocator and have a {@link AddressRecord}. What is in use
 * stays in use when the allocator loses the address.
 *
 * <p>Thread-safe: one lock, held for computations alone, and no other lock is taken inside. {@code
 * now} is monotonic time in nanoseconds; calls may bring it slightly out of order.
 */
final class Shard {
  private final PoolName pool;
  private Allocator allocator;
  private final long pause;
  private final long floor;
  private final AddressTable holdings;
  private final CoolingQueue<AddressRecord> cooling = new CoolingQueue<>();
  private final ExcludedAddresses exclusions = new ExcludedAddresses();
  private int inUse;
  private int excluded;

  Shard(PoolName pool, Allocator allocator, CoolingRule rule) {
    this.pool = pool;
    this.allocator = allocator;
    this.pause = rule.pause().toNanos();
    this.floor = rule.floor().toNanos();
    this.holdings = new AddressTable(allocator);
  }

  PoolName pool() {
    return pool;
  }

  IpFamily family() {
    return allocator.family();
  }

  /** Allocates this address, which may be cooling. */
  synchronized Allocation allocate(IpAddress ip, String owner) {
    String reservingOwner = exclusions.ownerOf(ip);
    if (reservingOwner != null) {
      return new Allocation.Denied(new Denial.Excluded(ip, pool, reservingOwner));
    }
    AddressRecord holding = holdings.of(ip);
    if (holding != null && holding.state == Held.IN_USE) {
      return new Allocation.Denied(new Denial.AlreadyAllocated(ip, holding.owner));
    }
    int position = allocator.position(ip);
    if (position < 0) {
      return new Allocation.Denied(allocator.refusal(ip));
    }
    Denial withheld = allocator.withheld(position, owner);
    return withheld == null
        ? grant(taken(holding, position, ip), ip, owner)
        : new Allocation.Denied(withheld);
  }

  /** Allocates an address that its owner has already, whatever else is known of it. */
  synchronized Allocation restore(IpAddress ip, String owner) {
    AddressRecord holding = holdings.of(ip);
    return holding != null && holding.state == Held.IN_USE
        ? new Allocation.Denied(new Denial.AlreadyAllocated(ip, holding.owner))
        : grant(taken(holding, allocator.position(ip), ip), ip, owner);
  }

  /** The holding of an address that is in use from now on. */
  private AddressRecord taken(@Nullable AddressRecord holding, int position, IpAddress ip) {
    if (holding == null) {
      return hold(position, ip, Held.IN_USE);
    }
    if (holding.state == Held.COOLING) {
      cooling.remove(holding);
    } else {
      excluded--;
    }
    return holding;
  }

  /** Allocates the next free address; without one, that which has cooled longest. */
  synchronized Allocation allocateNext(String owner, long now) {
    endPauses(now);
    int reserved = allocator.reservedFor(owner);
    if (reserved >= 0) {
      return allocate(allocator.address(reserved), owner);
    }
    int position = allocator.takeNext();
    if (position >= 0) {
      IpAddress ip = allocator.address(position);
      return grant(hold(position, ip, Held.IN_USE), ip, owner);
    }
    AddressRecord cooled = cooling.poll(each -> isUsable(each, owner, now));
    return cooled == null
        ? new Allocation.Denied(exhausted())
        : grant(cooled, allocator.address(cooled.position), owner);
  }

  /** Why {@link #allocateNext} would be denied now. */
  synchronized Optional<Denial> unable(String owner, long now) {
    endPauses(now);
    boolean able =
        allocator.freeCount() > 0
            || allocator.reservedFor(owner) >= 0
            || cooling.anyMatch(each -> isUsable(each, owner, now));
    return able ? Optional.empty() : Optional.of(exhausted());
  }

  private Denial exhausted() {
    Denial unable = allocator.unable();
    return unable == null
        ? new Denial.Exhausted(pool, family(), count(), exclusions.allOwners())
        : unable;
  }

  private boolean isUsable(AddressRecord cools, String owner, long now) {
    return Math.max(0, now - cools.releasedNanos) >= floor
        && allocator.withheld(cools.position, owner) == null;
  }

  private Allocation grant(AddressRecord holding, IpAddress ip, String owner) {
    holding.state = Held.IN_USE;
    holding.owner = owner;
    inUse++;
    Optional<InterfaceDetails> details =
        holding.position < 0 ? Optional.empty() : allocator.details(holding.position);
    return new Allocation.Granted(new AllocationResult(ip, pool, details));
  }

  /** Releases an address; nothing happens when it is not in use. The lease that ran is returned. */
  synchronized @Nullable RunningLease release(IpAddress ip, long now) {
    AddressRecord holding = inUse(ip);
    return holding == null ? null : release(holding, ip, now);
  }

  /** Releases the address of a lease that ran out; false when the lease has ended before. */
  synchronized boolean expire(RunningLease lease, long now) {
    IpAddress ip = lease.lease().ip();
    AddressRecord holding = inUse(ip);
    if (holding == null || holding.lease != lease) {
      return false;
    }
    RunningLease unused = release(holding, ip, now);
    return true;
  }

  /** Releases all addresses of an owner; how many, and the leases that ran into {@code leases}. */
  synchronized int releaseAll(String owner, long now, List<RunningLease> leases) {
    List<IpAddress> own = new ArrayList<>();
    holdings.forEach(
        (ip, holding) -> {
          if (holding.state == Held.IN_USE && holding.owner.equals(owner)) {
            own.add(ip);
          }
        });
    for (IpAddress ip : own) {
      RunningLease lease = release(ip, now);
      if (lease != null) {
        leases.add(lease);
      }
    }
    return own.size();
  }

  private @Nullable RunningLease release(AddressRecord holding, IpAddress ip, long now) {
    RunningLease lease = holding.lease;
    holding.lease = null;
    holding.owner = "";
    holding.releasedNanos = now;
    inUse--;
    if (holding.position < 0) {
      holdings.remove(ip, holding);
    } else if (exclusions.ownerOf(ip) == null) {
      cool(holding, now);
    } else {
      holding.state = Held.EXCLUDED;
      excluded++;
    }
    return lease;
  }

  /** The address is in use no more: it pauses, or is free when it has paused long enough. */
  private void cool(AddressRecord holding, long now) {
    if (now - holding.releasedNanos >= pause) {
      free(holding);
    } else {
      holding.state = Held.COOLING;
      cooling.add(holding, holding.releasedNanos);
    }
  }

  /** Begins the rest of the pause of a free address that was released {@code age} ago. */
  synchronized void cool(IpAddress ip, long age, long now) {
    int position = allocator.position(ip);
    if (position >= 0 && holdings.at(position) == null && age < pause) {
      boolean unused = allocator.take(position);
      AddressRecord holding = hold(position, ip, Held.COOLING);
      holding.releasedNanos = now - age;
      cooling.add(holding, holding.releasedNanos);
    }
  }

  private void endPauses(long now) {
    while (!cooling.isEmpty() && now - cooling.headNanos() >= pause) {
      free(cooling.poll());
    }
  }

  /** Starts a lease of an address that is in use and has none. */
  synchronized Optional<Denial> startLease(RunningLease lease) {
    IpAddress ip = lease.lease().ip();
    AddressRecord holding = inUse(ip);
    if (holding == null) {
      return Optional.of(new Denial.NotAllocated(ip, pool));
    }
    if (holding.lease != null) {
      return Optional.of(new Denial.LeaseExists(ip, pool));
    }
    holding.lease = lease;
    return Optional.empty();
  }

  /** Takes the lease from its address, which stays in use. */
  synchronized Leases.Stop stopLease(Lease lease) {
    AddressRecord holding = inUse(lease.ip());
    RunningLease running = holding == null ? null : holding.lease;
    if (holding == null || running == null) {
      return new Leases.Stop.Refused(new Denial.LeaseNotFound(lease.ip(), pool));
    }
    if (!running.lease().id().equals(lease.id())) {
      return new Leases.Stop.Refused(new Denial.LeaseMismatch(lease.ip(), pool, lease.id()));
    }
    holding.lease = null;
    return new Leases.Stop.Stopped(running);
  }

  /** Reserves a block; its addresses that are in use stay in use until they are released. */
  synchronized void exclude(Cidr block, String owner, long now) {
    exclusions.put(block, owner);
    holdings.forEachPosition(block, position -> exclude(position, now));
  }

  private void exclude(int position, long now) {
    AddressRecord holding = holdings.at(position);
    if (holding == null) {
      hold(position, allocator.address(position), Held.EXCLUDED).releasedNanos = now - pause;
      excluded++;
    } else if (holding.state == Held.COOLING) {
      cooling.remove(holding);
      holding.state = Held.EXCLUDED;
      excluded++;
    }
  }

  /** Withdraws the reservation of exactly this block. */
  synchronized void include(Cidr block, long now) {
    if (exclusions.remove(block)) {
      holdings.forEachPosition(block, position -> include(position, now));
    }
  }

  private void include(int position, long now) {
    AddressRecord holding = holdings.at(position);
    if (holding != null
        && holding.state == Held.EXCLUDED
        && exclusions.ownerOf(allocator.address(position)) == null) {
      excluded--;
      cool(holding, now);
    }
  }

  /** Changes the addresses; what they are at the end of that. */
  synchronized PoolSnapshot change(PoolChange change, long now) {
    endPauses(now);
    Allocator next = change.apply(new Use());
    if (next != allocator) {
      allocator = next;
      excluded = 0;
      holdings.moveTo(next, this::move);
      exclusions
          .copy()
          .keySet()
          .forEach(block -> holdings.forEachPosition(block, at -> exclude(at, now)));
    }
    return snapshot(now);
  }

  private final class Use implements PoolChange.Use {
    @Override
    public @Nullable Held apply(IpAddress ip) {
      return stateOf(holdings.of(ip));
    }

    @Override
    public AddressCounts counts() {
      return count();
    }

    @Override
    public int outsideIn(Cidr block) {
      return holdings.outsideIn(block);
    }
  }

  private static @Nullable Held stateOf(@Nullable AddressRecord holding) {
    return holding == null ? null : holding.state;
  }

  /** Only what is in use outlives its place in the pool. */
  private void move(IpAddress ip, AddressRecord holding) {
    if (holding.position >= 0) {
      boolean unused = allocator.take(holding.position);
      holdings.put(ip, holding);
      excluded += holding.state == Held.EXCLUDED ? 1 : 0;
    } else if (holding.state == Held.IN_USE) {
      holdings.put(ip, holding);
    } else if (holding.state == Held.COOLING) {
      cooling.remove(holding);
    }
  }

  /** Whether the pool has addresses of the family, or somebody has one of it. */
  synchronized boolean hasAddresses() {
    return allocator.capacity() > 0 || inUse > 0;
  }

  synchronized Optional<String> ownerOf(IpAddress ip) {
    return Optional.ofNullable(inUse(ip)).map(holding -> holding.owner);
  }

  synchronized AddressCounts counts(long now) {
    endPauses(now);
    return count();
  }

  synchronized PoolSnapshot snapshot(long now) {
    endPauses(now);
    List<HeldAddress> held = new ArrayList<>();
    holdings.forEach((ip, holding) -> held.add(holding.shown(ip, exclusions)));
    return new PoolSnapshot(family(), pool, allocator.origin(), count(), held, exclusions.copy());
  }

  private AddressCounts count() {
    int taken = inUse - holdings.outsideCount() + cooling.size() + excluded;
    int withheld = allocator.capacity() - allocator.freeCount() - taken;
    return new AddressCounts(allocator.freeCount(), inUse, cooling.size(), excluded, withheld);
  }

  private @Nullable AddressRecord inUse(IpAddress ip) {
    AddressRecord holding = holdings.of(ip);
    return stateOf(holding) == Held.IN_USE ? holding : null;
  }

  private AddressRecord hold(int position, IpAddress ip, Held state) {
    AddressRecord holding = new AddressRecord(position, state);
    if (position >= 0) {
      boolean unused = allocator.take(position);
    }
    holdings.put(ip, holding);
    return holding;
  }

  private void free(AddressRecord holding) {
    holdings.remove(allocator.address(holding.position), holding);
    allocator.free(holding.position);
  }
}
