package io.tidemark.emulator.arm.network;

import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * The IPv4 addresses of a subnet. Azure keeps the first four and the last of each block, gives any
 * free address and not the next one, and hands a released address out again only after a while. Not
 * thread-safe.
 */
public final class SubnetAddresses {
  /** Addresses of one block that a configuration may ask for. */
  static final int BLOCK_SIZE = 16;

  private static final int BLOCK_EXPONENT = 4;
  private static final int RESERVED_FIRST = 4;

  private final List<Cidr> prefixes;
  private final Duration reuseDelay;
  private final SplittableRandom random;
  private final int size;

  /** Addresses that nobody has. */
  private final AddressBitmap free;

  /** Those of them that anybody may get: none that was released a moment ago. */
  private final AddressBitmap open;

  /** Until when a released address is not given, by position. */
  private final Map<Integer, Instant> cooling = new HashMap<>();

  /** The same in the order of their ends; an entry that the map does not have is outdated. */
  private final ArrayDeque<Cooling> ends = new ArrayDeque<>();

  private record Cooling(int position, Instant until) {}

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
      total += Math.toIntExact(prefix.sizeSaturated());
    }
    this.size = total;
    this.free = AddressBitmap.ofCapacity(Math.max(1, total));
    int from = 0;
    for (Cidr prefix : this.prefixes) {
      int length = Math.toIntExact(prefix.sizeSaturated());
      free.takeFree(from, Math.min(RESERVED_FIRST, length));
      free.takeFree(from + length - 1, 1);
      from += length;
    }
    free.takeFree(total, free.capacity() - total);
    this.open = free.copy();
  }

  /** Addresses that can be given at all: all but five of each block. */
  public int limit() {
    return Math.max(0, size - (RESERVED_FIRST + 1) * prefixes.size());
  }

  /** Addresses that are given. */
  public int used() {
    return size - free.freeCount() - (RESERVED_FIRST + 1) * prefixes.size();
  }

  /** Takes some addresses for resources that are not modelled. */
  public void occupy(int count, Instant now) {
    for (int i = 0; i < count; i++) {
      take(now);
    }
  }

  /** Takes any free address; empty when the subnet is full. */
  public Optional<IpAddress> take(Instant now) {
    if (free(now) == 0) {
      return Optional.empty();
    }
    OptionalInt position = open.nextFreeCyclic(random.nextInt(size));
    mark(position.orElseThrow(), 1);
    return Optional.of(address(position.getAsInt()));
  }

  /** Takes this address; false when it is taken, reserved or not of the subnet. */
  public boolean take(IpAddress address) {
    int position = position(address);
    if (position < 0 || !free.isFree(position)) {
      return false;
    }
    mark(position, 1);
    return true;
  }

  /** The block of the subnet that has this address; empty when none has. */
  public Optional<Cidr> prefixOf(IpAddress address) {
    return prefixes.stream().filter(each -> each.contains(address)).findFirst();
  }

  /** Whether Azure keeps this address of the subnet for itself. */
  public boolean isReserved(IpAddress address) {
    return prefixOf(address)
        .filter(
            each ->
                each.indexOf(address) < RESERVED_FIRST
                    || each.indexOf(address) == each.sizeSaturated() - 1)
        .isPresent();
  }

  /** Takes any free block of 16 that begins at a multiple of 16; empty when there is none. */
  public Optional<Cidr> takeBlock(Instant now) {
    expire(now);
    int blocks = open.countFreeBlocks(BLOCK_EXPONENT);
    if (blocks == 0) {
      return Optional.empty();
    }
    int at = open.nextFreeBlock(BLOCK_EXPONENT, 0).orElseThrow();
    for (int left = random.nextInt(blocks); left > 0; left--) {
      at = open.nextFreeBlock(BLOCK_EXPONENT, at + BLOCK_SIZE).orElseThrow();
    }
    mark(at, BLOCK_SIZE);
    return Optional.of(Cidr.of(address(at), 28));
  }

  private void mark(int position, int count) {
    free.takeFree(position, count);
    open.takeFree(position, count);
  }

  /** Gives an address, or all of a block, back. */
  public void release(Cidr range, Instant now) {
    int from = position(range.first());
    for (int position = from; position < from + range.sizeSaturated(); position++) {
      free.giveBackTaken(position, 1);
      if (reuseDelay.isZero()) {
        open.giveBackTaken(position, 1);
      } else {
        open.takeFree(position, 1);
        Instant until = now.plus(reuseDelay);
        cooling.put(position, until);
        ends.add(new Cooling(position, until));
      }
    }
  }

  /** Takes back what was taken a moment ago, as if nobody had ever had it. */
  public void putBack(Cidr range) {
    int from = position(range.first());
    for (int position = from; position < from + range.sizeSaturated(); position++) {
      free.giveBackTaken(position, 1);
      if (!cooling.containsKey(position)) {
        open.giveBackTaken(position, 1);
      }
    }
  }

  /** Addresses that can be given now. */
  public int free(Instant now) {
    expire(now);
    return open.freeCount();
  }

  /** Opens what was released long enough ago. */
  private void expire(Instant now) {
    while (!ends.isEmpty() && !ends.getFirst().until().isAfter(now)) {
      Cooling ended = ends.removeFirst();
      if (cooling.remove(ended.position(), ended.until()) && free.isFree(ended.position())) {
        open.giveBackTaken(ended.position(), 1);
      }
    }
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
