package io.tidemark.ip;

/**
 * An IPv6 address.
 *
 * @param high the upper 64 bits in network order
 * @param low the lower 64 bits in network order
 */
public record Ipv6Address(long high, long low) implements IpAddress {
  private static final long MAPPED = 0xffffL;

  /** True inside {@code ::ffff:0:0/96}, the addresses that stand for an IPv4 address. */
  public boolean isIpv4Mapped() {
    return high == 0 && low >>> 32 == MAPPED;
  }

  @Override
  public IpFamily family() {
    return IpFamily.IPV6;
  }

  @Override
  public Ipv6Address plus(long offset) {
    long sum = low + offset;
    boolean carry = offset >= 0 && Long.compareUnsigned(sum, low) < 0;
    boolean borrow = offset < 0 && Long.compareUnsigned(sum, low) > 0;
    if ((carry && high == -1L) || (borrow && high == 0L)) {
      throw new ArithmeticException(this + " plus " + offset + " leaves the IPv6 space");
    }
    return new Ipv6Address(high + (carry ? 1 : 0) - (borrow ? 1 : 0), sum);
  }

  @Override
  public long offsetFrom(IpAddress origin) {
    if (!(origin instanceof Ipv6Address other)) {
      throw new IllegalArgumentException(origin + " and " + this + " differ in family");
    }
    long lowDifference = low - other.low;
    boolean borrow = Long.compareUnsigned(low, other.low) < 0;
    long highDifference = high - other.high - (borrow ? 1 : 0);
    // A distance fits a long when the upper word only repeats its sign, and the lower word agrees.
    long sign = compareTo(other) < 0 ? -1 : 0;
    if (highDifference != sign || lowDifference >> 63 != sign) {
      throw new ArithmeticException("the distance from " + origin + " to " + this + " is too big");
    }
    return lowDifference;
  }

  @Override
  public int compareTo(IpAddress other) {
    if (!(other instanceof Ipv6Address v6)) {
      return 1;
    }
    return Words.compare(high, low, v6.high, v6.low);
  }

  @Override
  public StringBuilder appendTo(StringBuilder out) {
    if (isIpv4Mapped()) {
      return Ipv4Address.appendTo((int) low, out.append("::ffff:"));
    }
    int gapStart = -1;
    int gapLength = 1;
    for (int i = 0; i < 8; i++) {
      int run = 0;
      while (i + run < 8 && group(i + run) == 0) {
        run++;
      }
      if (run > gapLength) {
        gapStart = i;
        gapLength = run;
      }
      i += run;
    }
    for (int i = 0; i < 8; i++) {
      if (i == gapStart) {
        out.append("::");
        i += gapLength - 1;
        continue;
      }
      if (i > 0 && i != gapStart + gapLength) {
        out.append(':');
      }
      appendHex(group(i), out);
    }
    return out;
  }

  @Override
  public String toString() {
    return appendTo(new StringBuilder(39)).toString();
  }

  private int group(int index) {
    long word = index < 4 ? high : low;
    return (int) (word >>> (48 - 16 * (index & 3))) & 0xffff;
  }

  private static void appendHex(int group, StringBuilder out) {
    for (int shift = group > 0xfff ? 12 : group > 0xff ? 8 : group > 0xf ? 4 : 0;
        shift >= 0;
        shift -= 4) {
      out.append(Character.forDigit(group >>> shift & 0xf, 16));
    }
  }
}
