package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.CoolingQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state of each address of one shard. Every address of the allocator is in exactly one: free,
 * withheld by the allocator, in use, cooling or excluded; the latter three are taken in the
 * allocator and have an {@link AddressRecord}. What is in use stays in use when the allocator loses
 * the address.
 *
 * <p>The lock of the shard guards it. {@code now} is monotonic time in nanoseconds; calls may bring
 * it slightly out of order.
 */
final class AddressStates implements PoolChange.Use {
  private final long pause;
  private final long floor;
  private final AgentAddressTable records;
  private final OwnerIndex owners = new OwnerIndex();
  private final CoolingQueue<AddressRecord> cooling = new CoolingQueue<>();
  private final ExcludedAddresses exclusions = new ExcludedAddresses();
  private Allocator allocator;
  private int excluded;

  AddressStates(Allocator allocator, CoolingRule rule) {
    this.allocator = allocator;
    this.pause = rule.pause().toNanos();
    this.floor = rule.floor().toNanos();
    this.records = new AgentAddressTable(allocator);
  }

  Allocator allocator() {
    return allocator;
  }

  @Nullable String reservedBy(IpAddress ip) {
    return exclusions.ownerOf(ip);
  }

  @Nullable AddressRecord inUse(IpAddress ip) {
    AddressRecord record = records.of(ip);
    return record != null && record.state == Held.IN_USE ? record : null;
  }

  @Override
  public @Nullable Held apply(IpAddress ip) {
    AddressRecord record = records.of(ip);
    return record == null ? null : record.state;
  }

  // ---- in use

  /** An address that is not in use is used from now on, whatever its state was. */
  AddressRecord use(IpAddress ip, String owner) {
    AddressRecord record = records.of(ip);
    if (record == null) {
      record = hold(allocator.position(ip), ip, Held.IN_USE);
    } else if (record.state == Held.COOLING) {
      cooling.remove(record);
    } else {
      excluded--;
    }
    return used(record, owner);
  }

  /**
   * The next free address is used from now on; without one, that which has cooled longest.
   *
   * @return null when there is none
   */
  @Nullable AddressRecord useNext(String owner, long now) {
    int position = allocator.takeNext();
    if (position >= 0) {
      AddressRecord record = records.newRecord(position, Held.IN_USE);
      records.putInside(record);
      return used(record, owner);
    }
    AddressRecord cooled = cooling.poll(usableBy(owner, now));
    return cooled == null ? null : used(cooled, owner);
  }

  boolean hasNext(String owner, long now) {
    return allocator.freeCount() > 0 || cooling.anyMatch(usableBy(owner, now));
  }

  private Predicate<AddressRecord> usableBy(String owner, long now) {
    return cools ->
        Math.max(0, now - cools.releasedNanos) >= floor
            && allocator.withheld(cools.position, owner) == null;
  }

  private AddressRecord used(AddressRecord record, String owner) {
    record.state = Held.IN_USE;
    record.owner = owner;
    owners.add(record);
    return record;
  }

  /** An address that is in use is used no more. */
  void release(AddressRecord record, IpAddress ip, long now) {
    owners.remove(record);
    record.owner = "";
    record.releasedNanos = now;
    if (record.position < 0) {
      records.removeOutside(ip);
    } else if (exclusions.ownerOf(ip) == null) {
      cool(record, now);
    } else {
      record.state = Held.EXCLUDED;
      excluded++;
    }
  }

  /** The addresses that an owner uses, ascending. */
  List<IpAddress> usedBy(String owner) {
    return owners.of(owner).stream().map(records::addressOf).sorted().toList();
  }

  // ---- cooling

  /** The address pauses, or is free when it has paused long enough. */
  private void cool(AddressRecord record, long now) {
    if (!record.wasReleased() || now - record.releasedNanos >= pause) {
      free(record);
    } else {
      record.state = Held.COOLING;
      cooling.add(record, record.releasedNanos);
    }
  }

  /** Begins the rest of the pause of a free address that was released {@code age} ago. */
  void cool(IpAddress ip, long age, long now) {
    int position = allocator.position(ip);
    if (position >= 0 && records.at(position) == null && age < pause) {
      AddressRecord record = hold(position, ip, Held.COOLING);
      record.releasedNanos = now - age;
      cooling.add(record, record.releasedNanos);
    }
  }

  /** Addresses that have paused long enough are free. */
  void endPauses(long now) {
    while (!cooling.isEmpty() && now - cooling.headNanos() >= pause) {
      free(cooling.poll());
    }
  }

  // ---- exclusions

  /** Reserves a block; its addresses that are in use stay in use until they are released. */
  void exclude(Cidr block, String owner) {
    exclusions.put(block, owner);
    records.forEachPosition(block, this::exclude);
  }

  private void exclude(int position) {
    AddressRecord record = records.at(position);
    if (record == null) {
      hold(position, allocator.address(position), Held.EXCLUDED);
      excluded++;
    } else if (record.state == Held.COOLING) {
      cooling.remove(record);
      record.state = Held.EXCLUDED;
      excluded++;
    }
  }

  /** Withdraws the reservation of exactly this block. */
  void include(Cidr block, long now) {
    if (exclusions.remove(block)) {
      records.forEachPosition(block, position -> include(position, now));
    }
  }

  private void include(int position, long now) {
    AddressRecord record = records.at(position);
    if (record != null
        && record.state == Held.EXCLUDED
        && exclusions.ownerOf(allocator.address(position)) == null) {
      excluded--;
      cool(record, now);
    }
  }

  // ---- another allocator

  /** The same under another allocator, of which nothing is taken yet. */
  void moveTo(Allocator next) {
    if (next == allocator) {
      return;
    }
    allocator = next;
    excluded = 0;
    records.moveTo(next, this::moved);
    for (Cidr block : exclusions.copy().keySet()) {
      records.forEachPosition(block, this::exclude);
    }
  }

  /** Only what is in use outlives its place in the pool. */
  private boolean moved(AddressRecord record) {
    if (record.position >= 0) {
      allocator.take(record.position);
      excluded += record.state == Held.EXCLUDED ? 1 : 0;
      return true;
    }
    if (record.state == Held.COOLING) {
      cooling.remove(record);
    }
    return record.state == Held.IN_USE;
  }

  // ---- views

  @Override
  public int outsideIn(Cidr block) {
    return records.outsideIn(block);
  }

  boolean isEmpty() {
    return allocator.capacity() == 0 && owners.size() == 0;
  }

  List<String> reservingOwners() {
    return exclusions.allOwners();
  }

  @Override
  public AddressCounts counts() {
    int taken = owners.size() - records.outsideCount() + cooling.size() + excluded;
    int withheld = allocator.capacity() - allocator.freeCount() - taken;
    return new AddressCounts(
        allocator.freeCount(), owners.size(), cooling.size(), excluded, withheld);
  }

  /**
   * All that is known.
   *
   * @param leaseOf the id of the lease of an address
   */
  PoolSnapshot snapshot(PoolName pool, Function<IpAddress, Optional<UUID>> leaseOf) {
    List<HeldAddress> held = new ArrayList<>();
    records.forEach(
        (ip, record) ->
            held.add(new HeldAddress(ip, record.state, name(ip, record), leaseOf.apply(ip))));
    held.sort(Comparator.comparing(HeldAddress::ip));
    return new PoolSnapshot(
        allocator.family(), pool, allocator.origin(), counts(), held, exclusions.copy());
  }

  private String name(IpAddress ip, AddressRecord record) {
    return switch (record.state) {
      case IN_USE -> record.owner;
      case COOLING -> PoolSnapshot.COOLING_OWNER;
      case EXCLUDED -> String.valueOf(exclusions.ownerOf(ip));
    };
  }

  // ---- parts

  private AddressRecord hold(int position, IpAddress ip, Held state) {
    AddressRecord record = records.newRecord(position, state);
    if (position >= 0) {
      allocator.take(position);
    }
    records.put(ip, record);
    return record;
  }

  private void free(AddressRecord record) {
    records.removeInside(record);
    allocator.free(record.position);
  }
}
