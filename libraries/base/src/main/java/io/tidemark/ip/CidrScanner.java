package io.tidemark.ip;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads one {@code address/length}; used once, like {@link AddressScanner}. */
final class CidrScanner {
  private final String text;
  private @Nullable String problem;

  CidrScanner(String text) {
    this.text = text;
  }

  @Nullable Cidr scan() {
    @Nullable InterfaceAddress found = scanInterface();
    if (found == null) {
      return null;
    }
    Cidr block = found.network();
    if (block.high() != Cidr.high(found.address()) || block.low() != Cidr.low(found.address())) {
      problem = "it has host bits set; the block is " + block;
      return null;
    }
    return block;
  }

  /** As {@link Cidr#parseLenient} says. */
  @Nullable Cidr scanLenient() {
    @Nullable InterfaceAddress found = scan(true);
    return found == null ? null : found.network();
  }

  /** As {@link InterfaceAddress#parse} says: host bits are kept. */
  @Nullable InterfaceAddress scanInterface() {
    return scan(false);
  }

  private @Nullable InterfaceAddress scan(boolean zerosAllowed) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      problem = "it has no /length";
      return null;
    }
    AddressScanner scanner = new AddressScanner(text, slash, zerosAllowed);
    @Nullable IpAddress address = scanner.scan();
    if (address == null) {
      problem = "in the address, " + scanner.problem();
      return null;
    }
    boolean zeros = text.length() > slash + 2 && text.charAt(slash + 1) == '0';
    int length = zeros && !zerosAllowed ? -1 : lengthAfter(slash);
    int longest = address.family().bits();
    if (length < 0 || length > longest) {
      problem =
          "the length must be a number from 0 to "
              + longest
              + (zerosAllowed ? "" : " without leading zeros");
      return null;
    }
    return new InterfaceAddress(address, length);
  }

  String problem() {
    return Objects.requireNonNull(problem, "the scan found a block");
  }

  private int lengthAfter(int slash) {
    int from = slash + 1;
    while (from + 1 < text.length() && text.charAt(from) == '0') {
      from++;
    }
    int digits = text.length() - from;
    if (digits < 1 || digits > 3) {
      return -1;
    }
    int length = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      length = length * 10 + c - '0';
    }
    return length;
  }
}
