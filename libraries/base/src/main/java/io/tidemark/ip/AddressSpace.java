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
 * reserved or outside; {@link #state} tells which. Who holds an address is the caller's knowledge.
 *
 * <p>Mutable and not thread-safe: it has one owner, who may hand out a {@link #copy()}.
 */
public final class AddressSpace {
  /** The state of an address. */
  public enum State {
    FREE,
    ALLOCATED,
    /** In the subnet, never given out: network, gateway, broadcast and the like. */
    RESERVED,
    /** Not in the subnet. */
    OUTSIDE
  }

  private final Cidr subnet;
  private final CidrSet reserved;
  private final int capacity;
  private final AddressBitmap bitmap;

  private AddressSpace(Cidr subnet, CidrSet reserved, int capacity, AddressBitmap bitmap) {
    this.subnet = subnet;
    this.reserved = reserved;
    this.capacity = capacity;
    this.bitmap = bitmap;
  }

  /**
   * All of {@code subnet} but {@code reserved}, free.
   *
   * @throws IllegalArgumentException when a reserved block is not in the subnet, or the subnet has
   *     more than {@link AddressBitmap#CAPACITY_MAX} addresses; of a wider one, account blocks
   *     instead: an {@link AddressBitmap} whose positions are the indices of {@link Cidr#subnet}
   */
  public static AddressSpace of(Cidr subnet, CidrSet reserved) {
    AddressBitmap bitmap = AddressBitmap.over(subnet);
    for (Cidr block : reserved) {
      if (!subnet.contains(block)) {
        throw new IllegalArgumentException("reserved " + block + " is not in " + subnet);
      }
      bitmap.allocateRange((int) subnet.indexOf(block.first()), (int) block.sizeSaturated());
    }
    return new AddressSpace(subnet, reserved, bitmap.freeCount(), bitmap);
  }

  /** A builder for the space of {@code subnet}, which collects the reserved addresses. */
  public static Builder builder(Cidr subnet) {
    return new Builder(subnet);
  }

  /** An independent space in the same state. */
  public AddressSpace copy() {
    return new AddressSpace(subnet, reserved, capacity, bitmap.copy());
  }

  public Cidr subnet() {
    return subnet;
  }

  public CidrSet reserved() {
    return reserved;
  }

  /** How many addresses can be allocated at most: all but the reserved ones. */
  public int capacity() {
    return capacity;
  }

  public int freeCount() {
    return bitmap.freeCount();
  }

  public int allocatedCount() {
    return capacity - bitmap.freeCount();
  }

  public State state(IpAddress address) {
    if (!subnet.contains(address)) {
      return State.OUTSIDE;
    }
    if (bitmap.isFree(position(address))) {
      return State.FREE;
    }
    return reserved.contains(address) ? State.RESERVED : State.ALLOCATED;
  }

  /** Takes the lowest free address; empty when none is free. */
  public Optional<IpAddress> allocate() {
    OptionalInt position = bitmap.nextFree(0);
    if (position.isEmpty()) {
      return Optional.empty();
    }
    bitmap.allocate(position.getAsInt());
    return Optional.of(subnet.address(position.getAsInt()));
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
      int position = bitmap.nextFree(from).orElseThrow();
      bitmap.allocate(position);
      taken.add(subnet.address(position));
      from = position + 1;
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

  /** Takes this block; false unless all of it is in the subnet and free. */
  public boolean allocateBlock(Cidr block) {
    return subnet.contains(block)
        && bitmap.allocateRange(position(block.first()), (int) block.sizeSaturated());
  }

  /** Gives an address back; false when it is not allocated. */
  public boolean free(IpAddress address) {
    return freeBlock(Cidr.single(address));
  }

  /** Gives a block back; false unless every address of it is allocated. */
  public boolean freeBlock(Cidr block) {
    return subnet.contains(block)
        && !reserved.overlaps(block)
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

  /** The prefix length of the widest block that is wholly free; empty when nothing is free. */
  public OptionalInt widestFreeBlock() {
    for (int length = subnet.prefixLength(); length <= subnet.family().bits(); length++) {
      if (bitmap.nextFreeBlock(exponent(length), 0).isPresent()) {
        return OptionalInt.of(length);
      }
    }
    return OptionalInt.empty();
  }

  @Override
  public String toString() {
    return subnet + ", " + freeCount() + " of " + capacity + " free";
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

  /** Collects reservations, which may overlap. Not thread-safe. */
  public static final class Builder {
    private final Cidr subnet;
    private CidrSet reserved = CidrSet.of();

    private Builder(Cidr subnet) {
      this.subnet = subnet;
    }

    /** Reserves the lowest {@code count} addresses; the network address is the first of them. */
    public Builder reserveFirst(int count) {
      return count == 0 ? this : reserve(0, requireCount(count) - 1);
    }

    /** Reserves the highest {@code count} addresses; the broadcast address is the last of them. */
    public Builder reserveLast(int count) {
      long size = subnet.sizeSaturated();
      return count == 0 ? this : reserve(size - requireCount(count), size - 1);
    }

    public Builder reserve(IpAddress address) {
      return reserve(Cidr.single(address));
    }

    public Builder reserve(Cidr block) {
      reserved = reserved.plus(block);
      return this;
    }

    /**
     * The space, with all that is not reserved free.
     *
     * @throws IllegalArgumentException as {@link AddressSpace#of}
     */
    public AddressSpace build() {
      return of(subnet, reserved);
    }

    private Builder reserve(long from, long to) {
      reserved = reserved.plus(CidrSet.ofRange(subnet.address(from), subnet.address(to)));
      return this;
    }

    private long requireCount(int count) {
      if (count < 0 || count > subnet.sizeSaturated()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "cannot reserve %d addresses of %s, which has %d",
                count,
                subnet,
                subnet.sizeSaturated()));
      }
      return count;
    }
  }
}
