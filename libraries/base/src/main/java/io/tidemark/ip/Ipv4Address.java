package io.tidemark.ip;

/**
 * An IPv4 address.
 *
 * @param bits the 32 bits in network order; {@code 10.0.0.1} is {@code 0x0a000001}
 */
public record Ipv4Address(int bits) implements IpAddress {
  /** The address {@code a.b.c.d}; each octet is 0 to 255. */
  public static Ipv4Address of(int a, int b, int c, int d) {
    return new Ipv4Address(octet(a) << 24 | octet(b) << 16 | octet(c) << 8 | octet(d));
  }

  /** Appends the dotted text of the address with these bits, without making an object of it. */
  public static StringBuilder appendTo(int bits, StringBuilder out) {
    out.append(bits >>> 24).append('.').append(bits >>> 16 & 0xff).append('.');
    return out.append(bits >>> 8 & 0xff).append('.').append(bits & 0xff);
  }

  private static int octet(int value) {
    if (value < 0 || value > 255) {
      throw new IllegalArgumentException("octet is " + value + "; expected 0 to 255");
    }
    return value;
  }

  /** The address as a number from 0 to 2<sup>32</sup> - 1. */
  public long unsigned() {
    return Integer.toUnsignedLong(bits);
  }

  @Override
  public IpFamily family() {
    return IpFamily.IPV4;
  }

  @Override
  public Ipv4Address plus(long offset) {
    long unsigned = unsigned();
    if (offset < -unsigned || offset > 0xffff_ffffL - unsigned) {
      throw new ArithmeticException(this + " plus " + offset + " leaves the IPv4 space");
    }
    return new Ipv4Address((int) (unsigned + offset));
  }

  @Override
  public long offsetFrom(IpAddress origin) {
    if (origin instanceof Ipv4Address other) {
      return unsigned() - other.unsigned();
    }
    throw new IllegalArgumentException(origin + " and " + this + " differ in family");
  }

  @Override
  public int compareTo(IpAddress other) {
    return other instanceof Ipv4Address v4 ? Integer.compareUnsigned(bits, v4.bits) : -1;
  }

  @Override
  public StringBuilder appendTo(StringBuilder out) {
    return appendTo(bits, out);
  }

  @Override
  public String toString() {
    return appendTo(bits, new StringBuilder(15)).toString();
  }
}
