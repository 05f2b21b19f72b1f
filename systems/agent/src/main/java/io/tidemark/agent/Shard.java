package io.tidemark.agent;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.ReleaseTimes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One family of one pool: answers requests for its addresses, and holds the leases of those in use.
 *
 * <p>Thread-safe: one lock, held for computations alone, and no other lock is taken inside but one
 * of the allocator. {@code now} is monotonic time in nanoseconds; calls may bring it slightly out
 * of order.
 */
final class Shard {
  private final PoolName pool;
  private final IpFamily family;

  /** Faster than {@code synchronized} when more threads than processors want it: none spins. */
  private final ReentrantLock lock = new ReentrantLock();

  private final AddressStates addresses;
  private final Map<IpAddress, RunningLease> leases = new HashMap<>();

  Shard(PoolName pool, Allocator allocator, CoolingRule rule) {
    this.pool = pool;
    this.family = allocator.family();
    this.addresses = new AddressStates(allocator, rule);
  }

  PoolName pool() {
    return pool;
  }

  IpFamily family() {
    return family;
  }

  /** For what is rarely asked for; a request makes no object to be locked. */
  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  // ---- allocate

  Allocation allocate(IpAddress ip, String owner, long now) {
    return locked(() -> allocateLocked(ip, owner, now));
  }

  private Allocation allocateLocked(IpAddress ip, String owner, long now) {
    Denial refusal = refusal(ip, owner);
    return refusal == null
        ? granted(addresses.use(ip, owner), ip, now)
        : new Allocation.Denied(refusal);
  }

  /** Why an owner does not get this address; null when it does. */
  private @Nullable Denial refusal(IpAddress ip, String owner) {
    String reservingOwner = addresses.reservedBy(ip);
    if (reservingOwner != null) {
      return Denial.excluded(ip, pool, reservingOwner);
    }
    AddressRecord used = addresses.inUse(ip);
    if (used != null) {
      return Denial.alreadyAllocated(ip, used.owner);
    }
    Allocator allocator = addresses.allocator();
    int position = allocator.position(ip);
    return position < 0 ? allocator.refusal(ip) : allocator.withheld(position, owner);
  }

  /** Allocates an address that its owner has already, whatever else is known of it. */
  Allocation restore(IpAddress ip, String owner, long now) {
    return locked(
        () -> {
          AddressRecord used = addresses.inUse(ip);
          return used == null
              ? granted(addresses.use(ip, owner), ip, now)
              : new Allocation.Denied(Denial.alreadyAllocated(ip, used.owner));
        });
  }

  /** Allocates the next free address; without one, that which has cooled longest. */
  Allocation allocateNext(String owner, long now) {
    lock.lock();
    try {
      return allocateNextLocked(owner, now);
    } finally {
      lock.unlock();
    }
  }

  private Allocation allocateNextLocked(String owner, long now) {
    addresses.endPauses(now);
    Allocator allocator = addresses.allocator();
    int reserved = allocator.reservedFor(owner);
    if (reserved >= 0) {
      return allocateLocked(allocator.address(reserved), owner, now);
    }
    AddressRecord next = addresses.useNext(owner, now);
    return next == null
        ? new Allocation.Denied(exhausted())
        : granted(next, allocator.address(next.position), now);
  }

  /** Why {@link #allocateNext} would be denied now. */
  Optional<Denial> unable(String owner, long now) {
    return locked(
        () -> {
          addresses.endPauses(now);
          int reserved = addresses.allocator().reservedFor(owner);
          if (reserved >= 0) {
            return Optional.ofNullable(refusal(addresses.allocator().address(reserved), owner));
          }
          return addresses.hasNext(owner, now) ? Optional.empty() : Optional.of(exhausted());
        });
  }

  private Denial exhausted() {
    Denial unable = addresses.allocator().unable();
    return unable == null
        ? Denial.exhausted(pool, family, addresses.counts(), addresses.reservingOwners())
        : unable;
  }

  private Allocation granted(AddressRecord used, IpAddress ip, long now) {
    Optional<InterfaceDetails> details =
        used.position < 0 ? Optional.empty() : addresses.allocator().details(used.position);
    long reuse = ReleaseTimes.age(used.releasedNanos, now);
    return new Allocation.Granted(new AllocationResult(ip, pool, details, reuse, Optional.empty()));
  }

  // ---- release

  /** Releases an address; nothing happens when it is not in use. The lease that ran is returned. */
  @Nullable RunningLease release(IpAddress ip, long now) {
    lock.lock();
    try {
      return releaseLocked(ip, now);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable RunningLease releaseLocked(IpAddress ip, long now) {
    AddressRecord used = addresses.inUse(ip);
    if (used == null) {
      return null;
    }
    addresses.release(used, ip, now);
    return leases.isEmpty() ? null : leases.remove(ip);
  }

  /** Releases all addresses of an owner; how many, and the leases that ran into {@code ended}. */
  int releaseAll(String owner, long now, List<RunningLease> ended) {
    return locked(
        () -> {
          List<IpAddress> own = addresses.usedBy(owner);
          for (IpAddress ip : own) {
            RunningLease lease = releaseLocked(ip, now);
            if (lease != null) {
              ended.add(lease);
            }
          }
          return own.size();
        });
  }

  void cool(IpAddress ip, long age, long now) {
    lock.lock();
    try {
      addresses.cool(ip, age, now);
    } finally {
      lock.unlock();
    }
  }

  // ---- leases

  /** Starts a lease of an address that is in use and has none. */
  Optional<Denial> startLease(RunningLease lease) {
    IpAddress ip = lease.lease().ip();
    return locked(
        () -> {
          if (addresses.inUse(ip) == null) {
            return Optional.of(Denial.notAllocated(ip, pool));
          }
          return leases.putIfAbsent(ip, lease) == null
              ? Optional.empty()
              : Optional.of(Denial.leaseExists(ip, pool));
        });
  }

  /** Takes the lease from its address, which stays in use, into {@code ended}. */
  Optional<Denial> stopLease(Lease lease, List<RunningLease> ended) {
    IpAddress ip = lease.ip();
    return locked(
        () -> {
          RunningLease running = leases.get(ip);
          if (running == null) {
            return Optional.of(Denial.leaseNotFound(ip, pool));
          }
          if (!running.lease().id().equals(lease.id())) {
            return Optional.of(Denial.leaseMismatch(ip, pool, lease.id()));
          }
          leases.remove(ip);
          ended.add(running);
          return Optional.empty();
        });
  }

  /** Releases the address of a lease that ran out; false when the lease has ended before. */
  boolean expire(RunningLease lease, long now) {
    IpAddress ip = lease.lease().ip();
    return locked(
        () -> {
          if (leases.get(ip) != lease) {
            return false;
          }
          releaseLocked(ip, now);
          return true;
        });
  }

  // ---- the pool

  void exclude(Cidr block, String owner) {
    lock.lock();
    try {
      addresses.exclude(block, owner);
    } finally {
      lock.unlock();
    }
  }

  void include(Cidr block, long now) {
    lock.lock();
    try {
      addresses.include(block, now);
    } finally {
      lock.unlock();
    }
  }

  PoolSnapshot change(PoolChange change, long now) {
    return locked(
        () -> {
          addresses.endPauses(now);
          addresses.moveTo(change.apply(addresses));
          return snapshotLocked(now);
        });
  }

  // ---- state

  /** Whether the pool has addresses of the family, or somebody has one of it. */
  boolean hasAddresses() {
    return locked(() -> !addresses.isEmpty());
  }

  Optional<String> ownerOf(IpAddress ip) {
    return locked(() -> Optional.ofNullable(addresses.inUse(ip)).map(used -> used.owner));
  }

  AddressCounts counts(long now) {
    return locked(
        () -> {
          addresses.endPauses(now);
          return addresses.counts();
        });
  }

  PoolSnapshot snapshot(long now) {
    return locked(() -> snapshotLocked(now));
  }

  private PoolSnapshot snapshotLocked(long now) {
    addresses.endPauses(now);
    return addresses.snapshot(
        pool, ip -> Optional.ofNullable(leases.get(ip)).map(each -> each.lease().id()));
  }
}
