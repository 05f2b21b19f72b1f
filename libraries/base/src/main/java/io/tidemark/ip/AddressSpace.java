package io.tidemark.ip;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The addresses of one subnet: which are reserved for good, which are allocated, which are free.
 * Single addresses and aligned blocks come out of the same space, so singles scattered over it
 * leave addresses free and yet no block: the space is fragmented then.
 *
 * <p>Taking always starts at the lowest address, which keeps the rest of the space whole for blocks
 * and makes every run repeatable. What can be expected to happen is answered with {@code false} or
 * empty and changes nothing: taking what is taken, giving back what is free, touching what is
 * reserved or outside. Who holds an address is the caller's knowledge.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
public final class AddressSpace {
  private final Cidr subnet;
  private final int first;
  private final int end;
  private final AddressBitmap bitmap;

  private AddressSpace(Cidr subnet, int first, int end, AddressBitmap bitmap) {
    this.subnet = subnet;
    this.first = first;
    this.end = end;
    this.bitmap = bitmap;
  }

  /**
   * All of {@code subnet}, free, but its lowest and highest addresses, which are reserved.
   *
   * @param lowest how many; the network address is the first of them
   * @param highest how many; the broadcast address is the last of them
   * @throws IllegalArgumentException when the subnet has more than {@link
   *     AddressBitmap#CAPACITY_MAX} addresses
   * @throws IndexOutOfBoundsException when it has fewer than are reserved
   */
  public static AddressSpace of(Cidr subnet, int lowest, int highest) {
    AddressBitmap bitmap = AddressBitmap.over(subnet);
    int end = bitmap.capacity() - highest;
    bitmap.takeFree(0, lowest);
    bitmap.takeFree(end, highest);
    return new AddressSpace(subnet, lowest, end, bitmap);
  }

  public int freeCount() {
    return bitmap.freeCount();
  }

  /** Whether it is in the subnet, neither free nor reserved. */
  public boolean isAllocated(IpAddress address) {
    return isUsable(Cidr.single(address)) && !bitmap.isFree(position(address));
  }

  /** Takes this address; false when it is not free. */
  public boolean allocate(IpAddress address) {
    return subnet.contains(address) && bitmap.allocate(position(address));
  }

  /**
   * Takes the lowest {@code count} free addresses, or all free ones when they are fewer: the caller
   * who wants all or nothing compares with {@link #freeCount()} first.
   *
   * @throws IllegalArgumentException when {@code count} is negative
   */
  public AddressSet allocate(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count is " + count + "; expected 0 or more");
    }
    AddressSet.Builder taken = AddressSet.builder();
    int from = 0;
    for (int left = Math.min(count, freeCount()); left > 0; left--) {
      from = bitmap.takeNext(from);
      taken.add(subnet.address(from));
    }
    return taken.build();
  }

  /**
   * Takes the lowest free block of this length; empty when none is wholly free.
   *
   * @throws IllegalArgumentException when the subnet cannot have a block of this length
   */
  public Optional<Cidr> allocateBlock(int prefixLength) {
    int exponent = exponent(prefixLength);
    OptionalInt position = bitmap.nextFreeBlock(exponent, 0);
    if (position.isEmpty()) {
      return Optional.empty();
    }
    bitmap.allocateRange(position.getAsInt(), 1 << exponent);
    return Optional.of(Cidr.of(subnet.address(position.getAsInt()), prefixLength));
  }

  /** Gives an address back; false when it is not allocated. */
  public boolean free(IpAddress address) {
    return freeBlock(Cidr.single(address));
  }

  /** Gives a block back; false unless every address of it is allocated. */
  public boolean freeBlock(Cidr block) {
    return isUsable(block)
        && bitmap.freeRange(position(block.first()), (int) block.sizeSaturated());
  }

  /**
   * How many blocks of this length are wholly free.
   *
   * @throws IllegalArgumentException when the subnet cannot have a block of this length
   */
  public int freeBlocks(int prefixLength) {
    return bitmap.countFreeBlocks(exponent(prefixLength));
  }

  @Override
  public String toString() {
    return subnet + ", " + freeCount() + " of " + (end - first) + " free";
  }

  private boolean isUsable(Cidr block) {
    return subnet.contains(block)
        && position(block.first()) >= first
        && position(block.last()) < end;
  }

  private int position(IpAddress address) {
    return (int) subnet.indexOf(address);
  }

  private int exponent(int prefixLength) {
    int longest = subnet.family().bits();
    if (prefixLength < subnet.prefixLength() || prefixLength > longest) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "prefix length is %d; expected %d to %d in %s",
              prefixLength,
              subnet.prefixLength(),
              longest,
              subnet));
    }
    return longest - prefixLength;
  }
}
