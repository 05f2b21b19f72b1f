package io.tidemark.nodeid.local;

import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.SparseBitmap;
import io.tidemark.nodeid.SubnetPlan;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a pod subnet, handed out in a circle: the search begins behind the address that
 * was handed out last, so that a released address is used again as late as possible. Besides, a
 * released address cools for a while, which counts where only few are free.
 *
 * <p>Of the subnet the first two and the last two addresses are reserved; a subnet of four or fewer
 * has no address for a pod. Of a subnet of more than 2<sup>62</sup> addresses only those are handed
 * out; the others can be taken all the same.
 *
 * <p>Times are of one monotonic clock, in nanoseconds. Mutable and not thread-safe: it has one
 * owner.
 */
public final class PodAddressPool {
  private static final int RESERVED_FIRST = 2;
  private static final int RESERVED_LAST = 2;

  /** The sequence number before the first that is handed out: that of the gateway. */
  private static final long BEFORE_FIRST = 1;

  private static final long FAR = Long.MAX_VALUE;

  private final Cidr subnet;
  private final long cooldownNanos;
  private final long size;
  private final IpAddress highest;

  /** One of the two has the sequence numbers below {@link #size}, reserved ones taken. */
  private final @Nullable AddressBitmap dense;

  private final SparseBitmap sparse;

  /** When each was released, the earliest first. */
  private final Map<IpAddress, Long> cooling = new LinkedHashMap<>();

  private final long capacity;
  private long last = BEFORE_FIRST;

  /**
   * How full a pool is: addresses that pods can have, of which {@code 2^62} stands for more as
   * well; those that they use, and those that were released a short time ago.
   */
  public record Stats(long capacity, long used, long cooling) {
    public long free() {
      return capacity - used - cooling;
    }
  }

  /** All addresses of a subnet but the reserved ones, free; with a cooldown of zero none cools. */
  public PodAddressPool(Cidr subnet, Duration cooldown) {
    this.subnet = subnet;
    this.cooldownNanos = cooldown.toNanos();
    this.size = Math.min(subnet.sizeSaturated(), SparseBitmap.CAPACITY_MAX);
    this.highest = subnet.address(size - 1);
    boolean isDense = size <= AddressBitmap.CAPACITY_MAX;
    this.dense = isDense ? AddressBitmap.ofCapacity((int) size) : null;
    this.sparse = SparseBitmap.ofCapacity(isDense ? 1 : size);
    reserve(0, Math.min(RESERVED_FIRST, size));
    if (size > RESERVED_FIRST && size == subnet.sizeSaturated()) {
      long first = Math.max(RESERVED_FIRST, size - RESERVED_LAST);
      reserve(first, size - first);
    }
    this.capacity = freeCount();
  }

  public Cidr subnet() {
    return subnet;
  }

  /** Takes the next free address that does not cool; empty when there is none. */
  public Optional<IpAddress> allocate(long nowNanos) {
    if (capacity == 0) {
      return Optional.empty();
    }
    freeCooled(nowNanos);
    long next = dense != null ? dense.takeNext((int) last + 1) : sparse.takeNext(last + 1);
    if (next < 0) {
      return Optional.empty();
    }
    last = next;
    return Optional.of(subnet.address(next));
  }

  /**
   * Takes an address that a pod has already; the search goes on behind the highest of these. False,
   * and nothing changes, when it is reserved, taken, or not of the subnet.
   */
  public boolean take(IpAddress address) {
    if (!subnet.contains(address) || isReserved(address)) {
      return false;
    }
    boolean cooled = cooling.remove(address) != null;
    long sequence = sequence(address);
    if (sequence == FAR || cooled) {
      return true;
    }
    boolean taken = dense != null ? dense.allocate((int) sequence) : sparse.allocate(sequence);
    if (taken) {
      last = Math.max(last, sequence);
    }
    return taken;
  }

  /**
   * Gives an address back; it cools from now on. False, and nothing changes, when no pod has it.
   */
  public boolean release(IpAddress address, long nowNanos) {
    if (!subnet.contains(address) || isReserved(address)) {
      return false;
    }
    long sequence = sequence(address);
    if (sequence == FAR) {
      return true;
    }
    if (cooldownNanos == 0) {
      return free(sequence);
    }
    boolean taken = dense != null ? !dense.isFree((int) sequence) : !sparse.isFree(sequence);
    return taken && cooling.putIfAbsent(address, nowNanos) == null;
  }

  /** Whether an address of the subnet is the network, gateway, NAT loopback or broadcast. */
  public boolean isReserved(IpAddress address) {
    return !SubnetPlan.hasRoom(subnet)
        || address.compareTo(subnet.address(RESERVED_FIRST)) < 0
        || address.compareTo(subnet.last().plus(-RESERVED_LAST)) > 0;
  }

  public Stats stats() {
    return new Stats(capacity, capacity - freeCount() - cooling.size(), cooling.size());
  }

  private void freeCooled(long nowNanos) {
    Iterator<Map.Entry<IpAddress, Long>> oldest = cooling.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<IpAddress, Long> each = oldest.next();
      if (nowNanos - each.getValue() < cooldownNanos) {
        return;
      }
      free(sequence(each.getKey()));
      oldest.remove();
    }
  }

  /** The sequence number of an address of the subnet; far ones are in no bitmap. */
  private long sequence(IpAddress address) {
    return address.compareTo(highest) > 0 ? FAR : subnet.indexOf(address);
  }

  private boolean free(long sequence) {
    return dense != null ? dense.free((int) sequence) : sparse.free(sequence);
  }

  private long freeCount() {
    return dense != null ? dense.freeCount() : sparse.freeCount();
  }

  private void reserve(long from, long count) {
    if (dense != null) {
      dense.takeFree((int) from, (int) count);
    } else {
      sparse.takeFree(from, count);
    }
  }
}
