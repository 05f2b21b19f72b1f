package io.tidemark.resource;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An array of IPv4 addresses in four bytes each, in the order in which they were written. */
final class AddressList implements JsonValue {
  private final int[] bits;

  private AddressList(int[] bits) {
    this.bits = bits;
  }

  /** The compact form of {@code array}; the array itself when an element is no IPv4 address. */
  static JsonValue compact(JsonArray array) {
    int[] bits = new int[array.elements().size()];
    for (int i = 0; i < bits.length; i++) {
      JsonValue element = array.elements().get(i);
      if (!(element instanceof JsonText text)
          || !(IpAddress.tryParse(text.text()).orElse(null) instanceof Ipv4Address address)) {
        return array;
      }
      bits[i] = address.bits();
    }
    return bits.length == 0 ? array : new AddressList(bits);
  }

  /** The array of these addresses. */
  static JsonValue of(List<IpAddress> addresses) {
    int[] bits = new int[addresses.size()];
    for (int i = 0; i < bits.length; i++) {
      if (!(addresses.get(i) instanceof Ipv4Address address)) {
        return Members.arrayOf(addresses);
      }
      bits[i] = address.bits();
    }
    return bits.length == 0 ? JsonArray.EMPTY : new AddressList(bits);
  }

  /** The addresses of a checked value, whatever its form. */
  static List<IpAddress> read(JsonValue value) {
    List<IpAddress> addresses = new ArrayList<>();
    if (value instanceof AddressList list) {
      for (int each : list.bits) {
        addresses.add(new Ipv4Address(each));
      }
    } else {
      value.asArray().elements().forEach(each -> addresses.add(IpAddress.parse(each.asText())));
    }
    return addresses;
  }

  int size() {
    return bits.length;
  }

  int bits(int index) {
    return bits[index];
  }

  /** Whether both name the same addresses equally often, in whatever order. */
  boolean sameAs(AddressList other) {
    if (bits.length != other.bits.length) {
      return false;
    }
    return Arrays.equals(bits, other.bits) || Arrays.equals(sorted(bits), sorted(other.bits));
  }

  @Override
  public JsonArray asArray() {
    List<JsonValue> texts = new ArrayList<>(bits.length);
    for (int each : bits) {
      texts.add(new JsonText(Ipv4Address.appendTo(each, new StringBuilder(15)).toString()));
    }
    return new JsonArray(texts);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AddressList that && Arrays.equals(bits, that.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bits);
  }

  @Override
  public String toString() {
    return "AddressList of " + bits.length;
  }

  private static int[] sorted(int[] values) {
    int[] copy = values.clone();
    Arrays.sort(copy);
    return copy;
  }
}
