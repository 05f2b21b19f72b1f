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
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One family of one pool: which address is free and who holds the others. Every address of the
 * allocator is in exactly one state: free, in use, cooling or excluded; all but the free ones are
 * taken in the allocator and have a {@link Holding}.
 *
 * <p>Thread-safe: one lock, held for computations alone, and no other lock is taken inside. {@code
 * now} is monotonic time in nanoseconds; calls may bring it slightly out of order.
 */
final class Shard {
  private final PoolName pool;
  private final Allocator allocator;
  private final long pause;
  private final long floor;
  private final @Nullable Holding[] holdings;
  private final CoolingQueue<Holding> cooling = new CoolingQueue<>();
  private final ExcludedAddresses exclusions = new ExcludedAddresses();
  private int inUse;
  private int excluded;

  /** Why a position is not free. */
  private static final class Holding {
    private final int position;
    private Held state;
    private String owner = "";
    private @Nullable RunningLease lease;

    /** When it was last in use; so long ago that it has cooled when it never was. */
    private long releasedNanos;

    private Holding(int position, Held state) {
      this.position = position;
      this.state = state;
    }
  }

  Shard(PoolName pool, Allocator allocator, CoolingRule rule) {
    this.pool = pool;
    this.allocator = allocator;
    this.pause = rule.pause().toNanos();
    this.floor = rule.floor().toNanos();
    this.holdings = new @Nullable Holding[allocator.capacity()];
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
    int position = allocator.position(ip);
    if (position < 0) {
      return new Allocation.Denied(allocator.refusal(ip));
    }
    Holding holding = holdings[position];
    if (holding == null) {
      allocator.take(position);
      holding = hold(position, Held.IN_USE);
    } else if (holding.state == Held.IN_USE) {
      return new Allocation.Denied(new Denial.AlreadyAllocated(ip, holding.owner));
    } else {
      cooling.remove(holding);
    }
    return grant(holding, ip, owner);
  }

  /** Allocates the next free address; without one, that which has cooled longest. */
  synchronized Allocation allocateNext(String owner, long now) {
    endPauses(now);
    int position = allocator.takeNext();
    if (position >= 0) {
      return grant(hold(position, Held.IN_USE), allocator.address(position), owner);
    }
    if (isHeadUsable(now)) {
      Holding holding = cooling.poll();
      return grant(holding, allocator.address(holding.position), owner);
    }
    return new Allocation.Denied(exhausted());
  }

  /** Why {@link #allocateNext} would be denied now. */
  synchronized Optional<Denial> unable(long now) {
    endPauses(now);
    return allocator.freeCount() > 0 || isHeadUsable(now)
        ? Optional.empty()
        : Optional.of(exhausted());
  }

  private boolean isHeadUsable(long now) {
    return !cooling.isEmpty() && now - cooling.headNanos() >= floor;
  }

  private Denial exhausted() {
    Denial unable = allocator.unable();
    return unable == null
        ? new Denial.Exhausted(pool, family(), count(), exclusions.allOwners())
        : unable;
  }

  private Allocation grant(Holding holding, IpAddress ip, String owner) {
    holding.state = Held.IN_USE;
    holding.owner = owner;
    inUse++;
    return new Allocation.Granted(new AllocationResult(ip, pool));
  }

  /** Releases an address; nothing happens when it is not in use. The lease that ran is returned. */
  synchronized @Nullable RunningLease release(IpAddress ip, long now) {
    Holding holding = inUse(ip);
    return holding == null ? null : release(holding, ip, now);
  }

  /** Releases the address of a lease that ran out; false when the lease has ended before. */
  synchronized boolean expire(RunningLease lease, long now) {
    IpAddress ip = lease.lease().ip();
    Holding holding = inUse(ip);
    if (holding == null || holding.lease != lease) {
      return false;
    }
    RunningLease unused = release(holding, ip, now);
    return true;
  }

  /** Releases all addresses of an owner; how many, and the leases that ran into {@code leases}. */
  synchronized int releaseAll(String owner, long now, List<RunningLease> leases) {
    int released = 0;
    for (Holding holding : holdings) {
      if (holding != null && holding.state == Held.IN_USE && holding.owner.equals(owner)) {
        RunningLease lease = release(holding, allocator.address(holding.position), now);
        if (lease != null) {
          leases.add(lease);
        }
        released++;
      }
    }
    return released;
  }

  private @Nullable RunningLease release(Holding holding, IpAddress ip, long now) {
    RunningLease lease = holding.lease;
    holding.lease = null;
    holding.owner = "";
    holding.releasedNanos = now;
    inUse--;
    if (exclusions.ownerOf(ip) == null) {
      cool(holding, now);
    } else {
      holding.state = Held.EXCLUDED;
      excluded++;
    }
    return lease;
  }

  /** The address is in use no more: it pauses, or is free when it has paused long enough. */
  private void cool(Holding holding, long now) {
    if (now - holding.releasedNanos >= pause) {
      free(holding.position);
    } else {
      holding.state = Held.COOLING;
      cooling.add(holding, holding.releasedNanos);
    }
  }

  /** Begins the rest of the pause of a free address that was released {@code age} ago. */
  synchronized void cool(IpAddress ip, long age, long now) {
    int position = allocator.position(ip);
    if (position >= 0 && holdings[position] == null && age < pause) {
      allocator.take(position);
      Holding holding = hold(position, Held.COOLING);
      holding.releasedNanos = now - age;
      cooling.add(holding, holding.releasedNanos);
    }
  }

  private void endPauses(long now) {
    while (!cooling.isEmpty() && now - cooling.headNanos() >= pause) {
      free(cooling.poll().position);
    }
  }

  /** Starts a lease of an address that is in use and has none. */
  synchronized Optional<Denial> startLease(RunningLease lease) {
    IpAddress ip = lease.lease().ip();
    Holding holding = inUse(ip);
    if (holding == null) {
      return Optional.of(new Denial.NotAllocated(ip, pool));
    }
    if (holding.lease != null) {
      return Optional.of(new Denial.LeaseExists(ip, pool));
    }
    holding.lease = lease;
    return Optional.empty();
  }

  /** How an attempt to stop a lease ended. */
  sealed interface Stop {
    /** It runs no more; its timer is to be withdrawn. */
    record Stopped(RunningLease lease) implements Stop {}

    /** Nothing changed. */
    record Refused(Denial denial) implements Stop {}
  }

  /** Takes the lease from its address, which stays in use. */
  synchronized Stop stopLease(Lease lease) {
    Holding holding = inUse(lease.ip());
    RunningLease running = holding == null ? null : holding.lease;
    if (holding == null || running == null) {
      return new Stop.Refused(new Denial.LeaseNotFound(lease.ip(), pool));
    }
    if (!running.lease().id().equals(lease.id())) {
      return new Stop.Refused(new Denial.LeaseMismatch(lease.ip(), pool, lease.id()));
    }
    holding.lease = null;
    return new Stop.Stopped(running);
  }

  /** Reserves a block; its addresses that are in use stay in use until they are released. */
  synchronized void exclude(Cidr block, String owner, long now) {
    exclusions.put(block, owner);
    forEachPosition(block, position -> exclude(position, now));
  }

  private void exclude(int position, long now) {
    Holding holding = holdings[position];
    if (holding == null) {
      allocator.take(position);
      holding = hold(position, Held.EXCLUDED);
      holding.releasedNanos = now - pause;
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
      forEachPosition(block, position -> include(position, now));
    }
  }

  private void include(int position, long now) {
    Holding holding = holdings[position];
    if (holding != null
        && holding.state == Held.EXCLUDED
        && exclusions.ownerOf(allocator.address(position)) == null) {
      excluded--;
      cool(holding, now);
    }
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
    for (Holding holding : holdings) {
      if (holding != null) {
        held.add(held(holding));
      }
    }
    return new PoolSnapshot(family(), pool, allocator.origin(), count(), held, exclusions.copy());
  }

  private HeldAddress held(Holding holding) {
    IpAddress ip = allocator.address(holding.position);
    RunningLease lease = holding.lease;
    String owner =
        switch (holding.state) {
          case IN_USE -> holding.owner;
          case COOLING -> PoolSnapshot.COOLING_OWNER;
          case EXCLUDED -> String.valueOf(exclusions.ownerOf(ip));
        };
    return new HeldAddress(
        ip, holding.state, owner, Optional.ofNullable(lease).map(each -> each.lease().id()));
  }

  private AddressCounts count() {
    return new AddressCounts(allocator.freeCount(), inUse, cooling.size(), excluded);
  }

  private @Nullable Holding inUse(IpAddress ip) {
    int position = allocator.position(ip);
    Holding holding = position < 0 ? null : holdings[position];
    return holding != null && holding.state == Held.IN_USE ? holding : null;
  }

  private Holding hold(int position, Held state) {
    Holding holding = new Holding(position, state);
    holdings[position] = holding;
    return holding;
  }

  private void free(int position) {
    holdings[position] = null;
    allocator.free(position);
  }

  /** Visits the positions in a block, by whichever is shorter: the block or the shard. */
  private void forEachPosition(Cidr block, IntConsumer visitor) {
    if (block.sizeSaturated() <= holdings.length) {
      for (long offset = 0; offset < block.sizeSaturated(); offset++) {
        int position = allocator.position(block.address(offset));
        if (position >= 0) {
          visitor.accept(position);
        }
      }
      return;
    }
    for (int position = 0; position < holdings.length; position++) {
      if (block.contains(allocator.address(position))) {
        visitor.accept(position);
      }
    }
  }
}
