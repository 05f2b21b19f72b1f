package io.tidemark.agent.hostscope;

import io.tidemark.agent.Allocator;
import io.tidemark.agent.Denial;
import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv6Address;
import java.math.BigInteger;

/**
 * The addresses of one CIDR block, next fit: each is handed out after all the others, the longest
 * time before one is used again that is possible without noting any time.
 *
 * <p>Of a block of more than two addresses the first and the last, network and broadcast, are not
 * handed out, unless it is allowed. Of a wide block only the first 65,536 (IPv6) or 16,777,216
 * (IPv4) addresses count.
 *
 * <p>Not thread-safe, as every {@link Allocator}.
 */
public final class HostRange implements Allocator {
  private static final int IPV6_SIZE_MAX = 1 << 16;

  private final Cidr cidr;
  private final IpAddress first;
  private final IpAddress last;
  private AddressBitmap bitmap;

  /** The search for the next free position begins here, modulo the capacity. */
  private long next;

  private HostRange(Cidr cidr, long skipped, int capacity, long seed) {
    this.cidr = cidr;
    this.first = cidr.address(skipped);
    this.last = first.plus(capacity - 1L);
    this.bitmap = AddressBitmap.ofCapacity(capacity);
    this.next = seed;
  }

  /** The addresses of a block but network and broadcast, all free; next fit. */
  public static HostRange of(Cidr cidr, long seed) {
    return of(cidr, false, false, seed);
  }

  /**
   * The addresses of a block, all free; next fit.
   *
   * @param allowFirst whether the network address is one of them
   * @param allowLast whether the broadcast address is one of them
   * @param seed where handing out begins
   * @throws IllegalArgumentException when the block has IPv4-mapped addresses
   */
  public static HostRange of(Cidr cidr, boolean allowFirst, boolean allowLast, long seed) {
    if (cidr.network() instanceof Ipv6Address v6 && v6.isIpv4Mapped()) {
      throw new IllegalArgumentException(cidr + " is IPv4-mapped; write it as an IPv4 block");
    }
    int atStart = size(cidr) <= 2 || allowFirst ? 0 : 1;
    return new HostRange(cidr, atStart, capacity(cidr, allowFirst, allowLast), seed);
  }

  /** How many addresses a range of this block has, 1 or more. */
  public static int capacity(Cidr cidr, boolean allowFirst, boolean allowLast) {
    int size = size(cidr);
    return size <= 2 ? size : size - (allowFirst ? 0 : 1) - (allowLast ? 0 : 1);
  }

  /** How many addresses of a block count, network and broadcast included. */
  public static int size(Cidr cidr) {
    int most = cidr.family() == IpFamily.IPV6 ? IPV6_SIZE_MAX : AddressBitmap.CAPACITY_MAX;
    return (int) Math.min(cidr.sizeSaturated(), most);
  }

  @Override
  public IpFamily family() {
    return cidr.family();
  }

  @Override
  public int capacity() {
    return bitmap.capacity();
  }

  @Override
  public int freeCount() {
    return bitmap.freeCount();
  }

  @Override
  public int position(IpAddress ip) {
    // Compared before it is subtracted: a difference of 2^64 would look like none.
    return ip.compareTo(first) < 0 || ip.compareTo(last) > 0 ? -1 : (int) ip.offsetFrom(first);
  }

  @Override
  public IpAddress address(int position) {
    return first.plus(position);
  }

  @Override
  public Denial refusal(IpAddress ip) {
    return Denial.notInRange(ip, cidr.toString());
  }

  @Override
  public boolean take(int position) {
    return bitmap.allocate(position);
  }

  @Override
  public int takeNext() {
    int position = bitmap.takeNext((int) Math.floorMod(next, (long) capacity()));
    if (position >= 0) {
      next = position + 1L;
    }
    return position;
  }

  @Override
  public void free(int position) {
    bitmap.free(position);
  }

  /** The first position from {@code from} on that is taken; -1 when there is none. */
  public int nextTaken(int from) {
    return bitmap.nextTaken(from);
  }

  @Override
  public String origin() {
    return cidr.toString();
  }

  /**
   * Which addresses are taken.
   *
   * @param cidr the block
   * @param taken bit {@code n} is set when position {@code n} is taken
   */
  public record Snapshot(Cidr cidr, BigInteger taken) {}

  public Snapshot snapshot() {
    byte[] bigEndian = new byte[(capacity() + 7) / 8];
    for (int at = bitmap.nextTaken(0); at >= 0; at = bitmap.nextTaken(at + 1)) {
      bigEndian[bigEndian.length - 1 - at / 8] |= (byte) (1 << at % 8);
    }
    return new Snapshot(cidr, new BigInteger(1, bigEndian));
  }

  /**
   * Takes exactly the addresses that were taken when the snapshot was made.
   *
   * @throws IllegalArgumentException when it was made of another block, or has bits for addresses
   *     that this range does not have; nothing changes then
   */
  public void restore(Snapshot snapshot) {
    if (!snapshot.cidr().equals(cidr)) {
      throw new IllegalArgumentException(
          "the snapshot is of " + snapshot.cidr() + "; expected one of " + cidr);
    }
    BigInteger taken = snapshot.taken();
    if (taken.signum() < 0 || taken.bitLength() > capacity()) {
      throw new IllegalArgumentException(
          "the snapshot of " + cidr + " has bits beyond its " + capacity() + " addresses");
    }
    AddressBitmap restored = AddressBitmap.ofCapacity(capacity());
    for (int at = 0; at < taken.bitLength(); at++) {
      if (taken.testBit(at)) {
        restored.allocate(at);
      }
    }
    bitmap = restored;
  }

  @Override
  public String toString() {
    return cidr + ", " + bitmap;
  }
}
