package io.tidemark.ip;

import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A CIDR block: a network address and a prefix length, without host bits. Immutable; usable from
 * any thread; 32 bytes of heap.
 *
 * <p>Order: by network address (IPv4 first), the wider block first when two share it. So a block
 * sorts directly before everything it contains.
 *
 * <p>A block of one family neither contains nor overlaps anything of the other.
 */
public final class Cidr implements Comparable<Cidr> {
  private final long high;
  private final long low;
  private final boolean ipv6;
  private final short hostBits;

  private Cidr(IpFamily family, long high, long low, int hostBits) {
    this.ipv6 = family == IpFamily.IPV6;
    this.high = high;
    this.low = low;
    this.hostBits = (short) hostBits;
  }

  /**
   * The block {@code network/prefixLength}.
   *
   * @throws IllegalArgumentException when the length does not suit the family, or host bits are set
   *     (the caller wants {@link #containing} then)
   */
  public static Cidr of(IpAddress network, int prefixLength) {
    Cidr block = containing(network, prefixLength);
    if (block.high != high(network) || block.low != low(network)) {
      throw new IllegalArgumentException(
          network + "/" + prefixLength + " has host bits set; the block is " + block);
    }
    return block;
  }

  /**
   * The block of this length that contains {@code address}.
   *
   * @throws IllegalArgumentException when the length does not suit the family
   */
  public static Cidr containing(IpAddress address, int prefixLength) {
    IpFamily family = address.family();
    requireLength(family, prefixLength);
    int hostBits = family.bits() - prefixLength;
    return new Cidr(
        family,
        high(address) & ~Words.highOnes(hostBits),
        low(address) & ~Words.lowOnes(hostBits),
        hostBits);
  }

  /** The block that holds {@code address} alone: a /32 or /128. */
  public static Cidr single(IpAddress address) {
    return new Cidr(address.family(), high(address), low(address), 0);
  }

  /**
   * Reads {@code address/length}, strictly: the length has no sign and no leading zero, and no host
   * bit is set.
   *
   * @throws IpFormatException when the text is no block; its message says why
   */
  public static Cidr parse(String text) {
    CidrScanner scanner = new CidrScanner(text);
    @Nullable Cidr block = scanner.scan();
    if (block == null) {
      throw new IpFormatException(text, "a CIDR block", scanner.problem());
    }
    return block;
  }

  /**
   * Reads {@code address/length} as other programs may have written it: host bits are cleared, and
   * leading zeros of a decimal number, also of the length, have no meaning ({@code 010.0.0.1/8} is
   * {@code 10.0.0.0/8}). For text that Kubernetes nodes hold; settings are read by {@link #parse}.
   *
   * @throws IpFormatException when the text is no block even so; its message says why
   */
  public static Cidr parseLenient(CharSequence text) {
    CidrScanner scanner = new CidrScanner(text.toString());
    @Nullable Cidr block = scanner.scanLenient();
    if (block == null) {
      throw new IpFormatException(text.toString(), "a CIDR block", scanner.problem());
    }
    return block;
  }

  /** Reads a block as {@link #parse} does; empty when the text is none. */
  public static Optional<Cidr> tryParse(String text) {
    return Optional.ofNullable(new CidrScanner(text).scan());
  }

  public IpFamily family() {
    return ipv6 ? IpFamily.IPV6 : IpFamily.IPV4;
  }

  /** The lowest address; the same as {@link #first()}. */
  public IpAddress network() {
    return address(ipv6, high, low);
  }

  public int prefixLength() {
    return family().bits() - hostBits;
  }

  /** The lowest address. */
  public IpAddress first() {
    return network();
  }

  /** The highest address; the broadcast address of an IPv4 subnet. */
  public IpAddress last() {
    return address(ipv6, lastHigh(), lastLow());
  }

  /** The IPv4 block that a block of IPv4-mapped addresses stands for; any other block itself. */
  public Cidr unmapped() {
    IpAddress network = network().unmapped();
    return network.family() == family()
        ? this
        : of(network, prefixLength() - (IpFamily.IPV6.bits() - IpFamily.IPV4.bits()));
  }

  /** True for a /32 or /128. */
  public boolean isSingle() {
    return hostBits == 0;
  }

  /** How many addresses the block has; {@link Long#MAX_VALUE} when they are more than that. */
  public long sizeSaturated() {
    return hostBits >= 63 ? Long.MAX_VALUE : 1L << hostBits;
  }

  public boolean contains(IpAddress address) {
    return address instanceof Ipv6Address == ipv6 && covers(high(address), low(address));
  }

  /** True when every address of {@code other} lies in this block; a block contains itself. */
  public boolean contains(Cidr other) {
    return other.ipv6 == ipv6 && other.hostBits <= hostBits && covers(other.high, other.low);
  }

  /** True when the two share an address, that is, when one contains the other. */
  public boolean overlaps(Cidr other) {
    return contains(other) || other.contains(this);
  }

  /**
   * The address at {@code offset}, counted from the network address, which is 0.
   *
   * @throws IndexOutOfBoundsException when the block has no such address
   */
  public IpAddress address(long offset) {
    if (offset < 0 || (hostBits < 63 && offset >>> hostBits != 0)) {
      throw new IndexOutOfBoundsException(this + " has no address at offset " + offset);
    }
    return address(ipv6, high, low | offset);
  }

  /**
   * The offset of {@code address} from the network address.
   *
   * @throws IllegalArgumentException when the block does not contain it
   * @throws ArithmeticException when the offset does not fit a long
   */
  public long indexOf(IpAddress address) {
    if (!contains(address)) {
      throw new IllegalArgumentException(address + " is not in " + this);
    }
    if (high(address) != high || (low(address) ^ low) < 0) {
      throw new ArithmeticException("the offset of " + address + " in " + this + " is too big");
    }
    return low(address) ^ low;
  }

  /** The block one bit wider that contains this one; empty for a whole family. */
  public Optional<Cidr> parent() {
    return prefixLength() == 0
        ? Optional.empty()
        : Optional.of(containing(network(), prefixLength() - 1));
  }

  /**
   * The blocks of {@code newPrefixLength} inside this one, ascending, made one at a time as the
   * iteration goes.
   *
   * @throws IllegalArgumentException when the length is shorter than this block's or does not suit
   *     the family
   */
  public Iterable<Cidr> subnets(int newPrefixLength) {
    long count = subnetCountSaturated(newPrefixLength);
    return () ->
        LongStream.range(0, count).mapToObj(index -> subnet(newPrefixLength, index)).iterator();
  }

  /**
   * How many blocks of {@code newPrefixLength} this one has; {@link Long#MAX_VALUE} when they are
   * more than that.
   *
   * @throws IllegalArgumentException as {@link #subnets}
   */
  public long subnetCountSaturated(int newPrefixLength) {
    requireSubnetLength(newPrefixLength);
    int bits = newPrefixLength - prefixLength();
    return bits >= 63 ? Long.MAX_VALUE : 1L << bits;
  }

  /**
   * The block of {@code newPrefixLength} at {@code index} inside this one, counted from 0.
   *
   * @throws IllegalArgumentException as {@link #subnets}
   * @throws IndexOutOfBoundsException when there is no such block
   */
  public Cidr subnet(int newPrefixLength, long index) {
    if (index < 0 || index >= subnetCountSaturated(newPrefixLength)) {
      throw new IndexOutOfBoundsException(
          this + " has no block of /" + newPrefixLength + " at index " + index);
    }
    int newHostBits = family().bits() - newPrefixLength;
    return new Cidr(
        family(),
        high | Words.highShifted(index, newHostBits),
        low | Words.lowShifted(index, newHostBits),
        newHostBits);
  }

  /**
   * The index of the first block of {@code newPrefixLength} inside this one that shares an address
   * with {@code part}: what {@link #subnet} makes a block of that length from. A part finer than
   * that length lies in this one block, a wider one begins with it.
   *
   * @throws IllegalArgumentException as {@link #subnets}, or when {@code part} is not inside
   * @throws ArithmeticException when the index does not fit a long
   */
  public long subnetIndex(Cidr part, int newPrefixLength) {
    requireSubnetLength(newPrefixLength);
    if (!contains(part)) {
      throw new IllegalArgumentException(part + " is not in " + this);
    }
    int newHostBits = family().bits() - newPrefixLength;
    long upper = part.high ^ high;
    long index = Words.lowShiftedRight(upper, part.low ^ low, newHostBits);
    if (index < 0 || Words.highShiftedRight(upper, newHostBits) != 0) {
      throw new ArithmeticException("the index of " + part + " in " + this + " is too big");
    }
    return index;
  }

  @Override
  public int compareTo(Cidr other) {
    if (ipv6 != other.ipv6) {
      return ipv6 ? 1 : -1;
    }
    int byNetwork = Words.compare(high, low, other.high, other.low);
    return byNetwork != 0 ? byNetwork : Integer.compare(other.hostBits, hostBits);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cidr cidr
        && low == cidr.low
        && high == cidr.high
        && hostBits == cidr.hostBits
        && ipv6 == cidr.ipv6;
  }

  @Override
  public int hashCode() {
    return (31 * Long.hashCode(high) + Long.hashCode(low)) * 31 + prefixLength();
  }

  /** Appends the canonical text; the same characters as {@link #toString()}. */
  public StringBuilder appendTo(StringBuilder out) {
    return network().appendTo(out).append('/').append(prefixLength());
  }

  /** The canonical text, {@code network/length}. */
  @Override
  public String toString() {
    return appendTo(new StringBuilder(ipv6 ? 43 : 18)).toString();
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  long lastHigh() {
    return high | Words.highOnes(hostBits);
  }

  long lastLow() {
    return low | Words.lowOnes(hostBits);
  }

  private boolean covers(long otherHigh, long otherLow) {
    return ((otherHigh ^ high) & ~Words.highOnes(hostBits)) == 0
        && ((otherLow ^ low) & ~Words.lowOnes(hostBits)) == 0;
  }

  private void requireSubnetLength(int length) {
    requireLength(family(), length);
    if (length < prefixLength()) {
      throw new IllegalArgumentException("/" + length + " is wider than " + this);
    }
  }

  static void requireLength(IpFamily family, int length) {
    if (length < 0 || length > family.bits()) {
      throw new IllegalArgumentException(
          "prefix length is " + length + "; expected 0 to " + family.bits() + " for " + family);
    }
  }

  /** The upper word of an address as a number of 128 bits. */
  static long high(IpAddress address) {
    return address instanceof Ipv6Address v6 ? v6.high() : 0;
  }

  /** The lower word of an address as a number of 128 bits. */
  static long low(IpAddress address) {
    return address instanceof Ipv6Address v6 ? v6.low() : ((Ipv4Address) address).unsigned();
  }

  private static IpAddress address(boolean ipv6, long high, long low) {
    return ipv6 ? new Ipv6Address(high, low) : new Ipv4Address((int) low);
  }
}
