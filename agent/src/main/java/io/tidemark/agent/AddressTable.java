package io.tidemark.agent;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one shard that are not free: by position in the allocator, and by address those
 * in use that the allocator does not have, because they left the pool. The lock of the shard guards
 * it.
 */
final class AddressTable {
  private Allocator allocator;
  private @Nullable AddressRecord[] inside;
  private final SortedMap<IpAddress, AddressRecord> outside = new TreeMap<>();

  AddressTable(Allocator allocator) {
    this.allocator = allocator;
    this.inside = new @Nullable AddressRecord[allocator.capacity()];
  }

  @Nullable AddressRecord at(int position) {
    return inside[position];
  }

  @Nullable AddressRecord of(IpAddress ip) {
    int position = allocator.position(ip);
    return position < 0 ? outside.get(ip) : inside[position];
  }

  /** How many are outside of the allocator. */
  int outsideCount() {
    return outside.size();
  }

  /** How many of them are addresses of a block. */
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

  void put(IpAddress ip, AddressRecord holding) {
    if (holding.position < 0) {
      outside.put(ip, holding);
    } else {
      inside[holding.position] = holding;
    }
  }

  void remove(IpAddress ip, AddressRecord holding) {
    if (holding.position < 0) {
      outside.remove(ip);
    } else {
      inside[holding.position] = null;
    }
  }

  /** Visits all, ascending by address inside the allocator, and then outside. */
  void forEach(BiConsumer<IpAddress, AddressRecord> visitor) {
    for (int position = 0; position < inside.length; position++) {
      AddressRecord holding = inside[position];
      if (holding != null) {
        visitor.accept(allocator.address(position), holding);
      }
    }
    outside.forEach(visitor);
  }

  /** The same under another allocator: {@code moved} hears of each once it has its position. */
  void moveTo(Allocator next, BiConsumer<IpAddress, AddressRecord> moved) {
    AddressTable before = new AddressTable(allocator);
    before.inside = inside;
    before.outside.putAll(outside);
    allocator = next;
    inside = new @Nullable AddressRecord[next.capacity()];
    outside.clear();
    before.forEach(
        (ip, holding) -> {
          holding.position = next.position(ip);
          moved.accept(ip, holding);
        });
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
