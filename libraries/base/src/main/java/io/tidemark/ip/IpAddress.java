package io.tidemark.ip;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One IP address, without zone, port or prefix length. Immutable; usable from any thread.
 *
 * <p>Order: every IPv4 address before every IPv6 address, unsigned numeric inside a family.
 *
 * <p>Text: IPv4 is four decimal octets without leading zeros. IPv6 is RFC 4291 text, an embedded
 * IPv4 tail included; it prints as RFC 5952 recommends (lower case, longest run of zero groups
 * shortened, IPv4-mapped addresses with a dotted tail). Zone ids, white space and brackets are
 * refused.
 */
public sealed interface IpAddress extends Comparable<IpAddress> permits Ipv4Address, Ipv6Address {
  /**
   * Reads an address of either family.
   *
   * @throws IpFormatException when the text is no address; its message says why
   */
  static IpAddress parse(String text) {
    AddressScanner scanner = new AddressScanner(text, text.length(), false);
    @Nullable IpAddress address = scanner.scan();
    if (address == null) {
      throw new IpFormatException(text, "an IP address", scanner.problem());
    }
    return address;
  }

  /** Reads an address of either family; empty when the text is none. */
  static Optional<IpAddress> tryParse(String text) {
    return Optional.ofNullable(new AddressScanner(text, text.length(), false).scan());
  }

  /** The family of this address; an IPv4-mapped address is IPv6. */
  IpFamily family();

  /**
   * The IPv4 address that an IPv4-mapped address stands for; any other address itself. For the
   * entrance of a program whose callers write {@code ::ffff:192.0.2.1} and mean 192.0.2.1.
   */
  default IpAddress unmapped() {
    return this instanceof Ipv6Address v6 && v6.isIpv4Mapped()
        ? new Ipv4Address((int) v6.low())
        : this;
  }

  /**
   * The address {@code offset} places after this one, or before it when negative.
   *
   * @throws ArithmeticException when that lies outside the family's space
   */
  IpAddress plus(long offset);

  /**
   * How many places this address lies after {@code origin}; negative when before it.
   *
   * @throws IllegalArgumentException when the families differ
   * @throws ArithmeticException when the distance does not fit a long
   */
  long offsetFrom(IpAddress origin);

  /** Appends the canonical text; the same characters as {@link #toString()}. */
  StringBuilder appendTo(StringBuilder out);

  /** The canonical text. */
  @Override
  String toString();
}
