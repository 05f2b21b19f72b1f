package io.tidemark.resource;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An array of objects that are equal but for one IPv4 address: the object once and the addresses in
 * four bytes each, in the order in which they were written.
 */
final class AddressRecords implements JsonValue {
  private final JsonObject first;
  private final int member;
  private final int[] bits;

  private AddressRecords(JsonObject first, int member, int[] bits) {
    this.first = first;
    this.member = member;
    this.bits = bits;
  }

  /**
   * The compact form of {@code array}; the array itself when its objects differ in more than the
   * IPv4 address under {@code key}, or when there are none.
   */
  static JsonValue compact(JsonArray array, String key) {
    List<JsonValue> elements = array.elements();
    if (elements.isEmpty() || !(elements.get(0) instanceof JsonObject first) || !first.has(key)) {
      return array;
    }
    int member = first.indexOf(key);
    int[] bits = new int[elements.size()];
    for (int i = 0; i < bits.length; i++) {
      if (!(elements.get(i) instanceof JsonObject each)
          || !each.has(key)
          || !each.with(key, first.value(member)).equals(first)
          || !(each.get(key) instanceof JsonText text)
          || !(IpAddress.tryParse(text.text()).orElse(null) instanceof Ipv4Address address)) {
        return array;
      }
      bits[i] = address.bits();
    }
    return new AddressRecords(first, member, bits);
  }

  /** The first object, which stands for all in everything but its address. */
  JsonObject first() {
    return first;
  }

  int size() {
    return bits.length;
  }

  int bits(int index) {
    return bits[index];
  }

  /** Whether the member of {@link #first} at {@code index} is the address. */
  boolean isAddress(int index) {
    return index == member;
  }

  @Override
  public JsonArray asArray() {
    List<JsonValue> objects = new ArrayList<>(bits.length);
    for (int each : bits) {
      String address = Ipv4Address.appendTo(each, new StringBuilder(15)).toString();
      objects.add(first.withValue(member, new JsonText(address)));
    }
    return new JsonArray(objects);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AddressRecords that
        && Arrays.equals(bits, that.bits)
        && first.equals(that.first);
  }

  @Override
  public int hashCode() {
    return 31 * first.hashCode() + Arrays.hashCode(bits);
  }

  @Override
  public String toString() {
    return "AddressRecords of " + bits.length;
  }
}
