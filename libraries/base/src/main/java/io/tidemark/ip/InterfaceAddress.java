package io.tidemark.ip;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of a network interface with the prefix length of its subnet, such as {@code
 * 192.168.16.5/24}. Unlike {@link Cidr} it keeps the host bits. Immutable.
 *
 * @param address with its host bits
 * @param prefixLength of the subnet
 */
public record InterfaceAddress(IpAddress address, int prefixLength) {
  public InterfaceAddress {
    Cidr.requireLength(address.family(), prefixLength);
  }

  /**
   * Reads {@code address/length}, strictly: the length has no sign and no leading zero.
   *
   * @throws IpFormatException when the text is none; its message says why
   */
  public static InterfaceAddress parse(String text) {
    CidrScanner scanner = new CidrScanner(text);
    @Nullable InterfaceAddress found = scanner.scanInterface();
    if (found == null) {
      throw new IpFormatException(text, "an address with prefix length", scanner.problem());
    }
    return found;
  }

  /** Reads an address as {@link #parse} does; empty when the text is none. */
  public static Optional<InterfaceAddress> tryParse(String text) {
    return Optional.ofNullable(new CidrScanner(text).scanInterface());
  }

  /** The subnet: the block of this prefix length that contains the address. */
  public Cidr network() {
    return Cidr.containing(address, prefixLength);
  }

  /** The canonical text, {@code address/length}. */
  @Override
  public String toString() {
    return address.appendTo(new StringBuilder()).append('/').append(prefixLength).toString();
  }
}
