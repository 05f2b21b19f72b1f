package io.tidemark.emulator.arm.network;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The IPv4 addresses of a subnet. Azure keeps the first four and the last of each block, gives any
 * free address and not the next one, and hands a released address out again only after a while. Not
 * thread-safe.
 */
public final class SubnetAddresses {
  /** Addresses of one block that a configuration may ask for. */
  static final int BLOCK_SIZE = 16;

  private static final int RESERVED_FIRST = 4;

  private final List<Cidr> prefixes;
  private final Duration reuseDelay;
  private final SplittableRandom random;
  private final int size;
  private final BitSet taken = new BitSet();
  private final Map<Integer, Instant> cooling = new HashMap<>();

  /**
   * All free.
   *
   * @param prefixes of the subnet; those of IPv6 do not count
   * @param reuseDelay how long a released address is not given to anybody
   */
  public SubnetAddresses(List<Cidr> prefixes, Duration reuseDelay, SplittableRandom random) {
    this.prefixes = prefixes.stream().filter(each -> each.family() == IpFamily.IPV4).toList();
    this.reuseDelay = reuseDelay;
    this.random = random;
    int total = 0;
    for (Cidr prefix : this.prefixes) {
      int length = Math.toIntExact(prefix.sizeSaturated());
      taken.set(total, total + Math.min(RESERVED_FIRST, length));
      taken.set(total + length - 1);
      total += length;
    }
    this.size = total;
  }

  /** Addresses that can be given at all: all but five of each block. */
  public int limit() {
    return Math.max(0, size - (RESERVED_FIRST + 1) * prefixes.size());
  }

  /** Addresses that are given. */
  public int used() {
    return taken.cardinality() - (RESERVED_FIRST + 1) * prefixes.size();
  }

  /** Takes some addresses for resources that are not modelled. */
  public void occupy(int count, Instant now) {
    for (int i = 0; i < count; i++) {
      take(now);
    }
  }

  /** Takes any free address; empty when the subnet is full. */
  public Optional<IpAddress> take(Instant now) {
    int free = free(now);
    if (free == 0) {
      return Optional.empty();
    }
    int start = random.nextInt(size);
    int position = taken.nextClearBit(start);
    while (position < size && isCooling(position, now)) {
      position = taken.nextClearBit(position + 1);
    }
    if (position >= size) {
      position = taken.nextClearBit(0);
      while (isCooling(position, now)) {
        position = taken.nextClearBit(position + 1);
      }
    }
    taken.set(position);
    return Optional.of(address(position));
  }

  /** Takes this address; false when it is taken, reserved or not of the subnet. */
  public boolean take(IpAddress address) {
    int position = position(address);
    if (position < 0 || taken.get(position)) {
      return false;
    }
    taken.set(position);
    return true;
  }

  /** Takes any free block of 16 that begins at a multiple of 16; empty when there is none. */
  public Optional<Cidr> takeBlock(Instant now) {
    List<Integer> free = new ArrayList<>();
    for (int at = 0; at + BLOCK_SIZE <= size; at += BLOCK_SIZE) {
      if (isFree(at, now)) {
        free.add(at);
      }
    }
    if (free.isEmpty()) {
      return Optional.empty();
    }
    int at = free.get(random.nextInt(free.size()));
    taken.set(at, at + BLOCK_SIZE);
    return Optional.of(Cidr.of(address(at), 28));
  }

  private boolean isFree(int block, Instant now) {
    for (int i = block; i < block + BLOCK_SIZE; i++) {
      if (taken.get(i) || isCooling(i, now)) {
        return false;
      }
    }
    return true;
  }

  /** Gives an address, or all of a block, back. */
  public void release(Cidr range, Instant now) {
    int position = position(range.first());
    for (int i = 0; i < range.sizeSaturated(); i++) {
      taken.clear(position + i);
      if (!reuseDelay.isZero()) {
        cooling.put(position + i, now.plus(reuseDelay));
      }
    }
  }

  /** Takes back what was taken a moment ago, as if nobody had ever had it. */
  public void putBack(Cidr range) {
    int position = position(range.first());
    taken.clear(position, position + Math.toIntExact(range.sizeSaturated()));
  }

  /** Addresses that can be given now. */
  public int free(Instant now) {
    cooling.values().removeIf(until -> !until.isAfter(now));
    long resting = cooling.keySet().stream().filter(position -> !taken.get(position)).count();
    return size - taken.cardinality() - Math.toIntExact(resting);
  }

  private boolean isCooling(int position, Instant now) {
    Instant until = cooling.get(position);
    return until != null && until.isAfter(now);
  }

  private IpAddress address(int position) {
    int left = position;
    for (Cidr prefix : prefixes) {
      if (left < prefix.sizeSaturated()) {
        return prefix.address(left);
      }
      left -= Math.toIntExact(prefix.sizeSaturated());
    }
    throw new IllegalArgumentException("position " + position + " of " + size);
  }

  private int position(IpAddress address) {
    int before = 0;
    for (Cidr prefix : prefixes) {
      if (prefix.contains(address)) {
        return before + Math.toIntExact(prefix.indexOf(address));
      }
      before += Math.toIntExact(prefix.sizeSaturated());
    }
    return -1;
  }
}
