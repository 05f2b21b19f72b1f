package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.ReleaseTimes;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one shard that are not free: by position in the allocator, and by address those
 * in use that the allocator does not have, because they left the pool. The lock of the shard guards
 * it.
 */
final class AgentAddressTable {
  private Allocator allocator;
  private @Nullable AddressRecord[] inside;
  private SortedMap<IpAddress, AddressRecord> outside = new TreeMap<>();

  /** When free addresses were released. */
  private ReleaseTimes released;

  AgentAddressTable(Allocator allocator) {
    this.allocator = allocator;
    this.inside = new @Nullable AddressRecord[allocator.capacity()];
    this.released = new ReleaseTimes(allocator.capacity());
  }

  @Nullable AddressRecord at(int position) {
    return inside[position];
  }

  @Nullable AddressRecord of(IpAddress ip) {
    int position = allocator.position(ip);
    return position < 0 ? outside.get(ip) : inside[position];
  }

  /** The address of a record that is here. */
  IpAddress addressOf(AddressRecord record) {
    return record.position < 0
        ? outside.entrySet().stream()
            .filter(each -> each.getValue() == record)
            .findFirst()
            .orElseThrow()
            .getKey()
        : allocator.address(record.position);
  }

  int outsideCount() {
    return outside.size();
  }

  int outsideIn(Cidr block) {
    int count = 0;
    for (IpAddress ip : outside.tailMap(block.first()).keySet()) {
      if (!block.contains(ip)) {
        break;
      }
      count++;
    }
    return count;
  }

  /** A record that is not added yet, with what is known of the last release. */
  AddressRecord newRecord(int position, Held state) {
    AddressRecord record = new AddressRecord(position, state);
    if (position >= 0) {
      record.releasedNanos = released.at(position);
    }
    return record;
  }

  void put(IpAddress ip, AddressRecord record) {
    if (record.position < 0) {
      outside.put(ip, record);
    } else {
      putInside(record);
    }
  }

  void putInside(AddressRecord record) {
    inside[record.position] = record;
  }

  /** The address of a record is free; what the record says of its last release is kept. */
  void removeInside(AddressRecord record) {
    inside[record.position] = null;
    if (record.wasReleased()) {
      released.put(record.position, record.releasedNanos);
    }
  }

  void removeOutside(IpAddress ip) {
    outside.remove(ip);
  }

  /** Visits all, by position those inside the allocator, and then ascending those outside. */
  void forEach(BiConsumer<IpAddress, AddressRecord> visitor) {
    for (int position = 0; position < inside.length; position++) {
      AddressRecord record = inside[position];
      if (record != null) {
        visitor.accept(allocator.address(position), record);
      }
    }
    outside.forEach(visitor);
  }

  /** The same under another allocator: {@code kept} hears of each once it has its position. */
  void moveTo(Allocator next, Predicate<AddressRecord> kept) {
    Allocator earlier = allocator;
    @Nullable AddressRecord[] wereInside = inside;
    SortedMap<IpAddress, AddressRecord> wereOutside = outside;
    ReleaseTimes wereReleased = released;
    IntUnaryOperator positions = next.positionsOf(earlier);
    allocator = next;
    inside = new @Nullable AddressRecord[next.capacity()];
    outside = new TreeMap<>();
    released = new ReleaseTimes(next.capacity());
    for (int at = 0; at < wereInside.length; at++) {
      AddressRecord record = wereInside[at];
      if (record != null) {
        record.position = positions.applyAsInt(at);
        if (kept.test(record)) {
          put(earlier.address(at), record);
        }
      } else if (wereReleased.at(at) != ReleaseTimes.NEVER) {
        int position = positions.applyAsInt(at);
        if (position >= 0) {
          released.put(position, wereReleased.at(at));
        }
      }
    }
    for (Map.Entry<IpAddress, AddressRecord> each : wereOutside.entrySet()) {
      AddressRecord record = each.getValue();
      record.position = next.position(each.getKey());
      if (kept.test(record)) {
        put(each.getKey(), record);
      }
    }
  }

  /** Visits the positions in a block, by whichever is shorter: the block or the allocator. */
  void forEachPosition(Cidr block, IntConsumer visitor) {
    if (block.sizeSaturated() <= inside.length) {
      for (long offset = 0; offset < block.sizeSaturated(); offset++) {
        int position = allocator.position(block.address(offset));
        if (position >= 0) {
          visitor.accept(position);
        }
      }
      return;
    }
    for (int position = 0; position < inside.length; position++) {
      if (block.contains(allocator.address(position))) {
        visitor.accept(position);
      }
    }
  }
}
