package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.Shape.Leaf;
import io.tidemark.resource.Shape.ListOf;
import io.tidemark.resource.Shape.MapOf;
import io.tidemark.resource.Shape.Struct;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether two values of one shape say the same: what is absent equals what is empty (NM-J4, NM-J2),
 * and lists without order are compared as such (NM-J7); numbers and addresses are compared by
 * value, not by spelling. In parts of unknown shape null, {@code {}} and {@code []} equal absence,
 * and arrays have an order. {@link MeaningHash} is the hash that goes with it.
 */
final class Sameness {
  private static final int SCANNED_MAX = 16;

  private Sameness() {}

  static boolean same(Shape shape, JsonValue a, JsonValue b) {
    if (a == b || (a instanceof AddressRecords && a.equals(b))) {
      return true;
    }
    boolean silent = saysNothing(shape, a);
    if (silent || saysNothing(shape, b)) {
      return silent && saysNothing(shape, b);
    }
    if (a instanceof AddressTable left && b instanceof AddressTable right) {
      return left.sameAs(right);
    }
    if (a instanceof AddressList left && b instanceof AddressList right) {
      return left.sameAs(right);
    }
    if (shape instanceof ListOf list) {
      return sameList(list, a.asArray().elements(), b.asArray().elements());
    }
    if (a instanceof JsonArray left && b instanceof JsonArray right) {
      return sameInOrder(Leaf.ANY, left.elements(), right.elements());
    }
    if (shape instanceof MapOf map) {
      JsonObject left = map.byAddress() ? withCanonicalKeys(a.asObject()) : a.asObject();
      JsonObject right = map.byAddress() ? withCanonicalKeys(b.asObject()) : b.asObject();
      return left.size() == right.size() && sameMembers(map, left, right);
    }
    if (a instanceof JsonObject left && b instanceof JsonObject right) {
      return sameMembers(shape, left, right) && restSaysNothing(shape, right, left);
    }
    if (a instanceof JsonNumber left && b instanceof JsonNumber right) {
      return left.sameAs(right);
    }
    return a.equals(b) || (isText(a, b) && canonical(shape, a).equals(canonical(shape, b)));
  }

  private static boolean isText(JsonValue a, JsonValue b) {
    return a instanceof JsonText && b instanceof JsonText;
  }

  /** A text as the shape prints it: addresses and blocks can be spelled in several ways. */
  private static String canonical(Shape shape, JsonValue value) {
    String text = value.asText();
    if (shape == Leaf.ADDRESS) {
      return IpAddress.tryParse(text).map(IpAddress::toString).orElse(text);
    }
    return shape == Leaf.BLOCK ? Cidr.tryParse(text).map(Cidr::toString).orElse(text) : text;
  }

  /** The object with IPv6 addresses among its keys in their canonical spelling. */
  private static JsonObject withCanonicalKeys(JsonObject object) {
    JsonObject.Builder spelled = JsonObject.builder();
    boolean changed = false;
    for (int i = 0; i < object.size(); i++) {
      String key = object.key(i);
      String canonical = key.indexOf(':') < 0 ? key : canonical(Leaf.ADDRESS, new JsonText(key));
      changed |= !canonical.equals(key);
      spelled.add(canonical, object.value(i));
    }
    return changed ? spelled.build() : object;
  }

  /** Whether absence would mean the same as {@code value}. */
  static boolean saysNothing(Shape shape, JsonValue value) {
    if (value.isNull()) {
      return true;
    }
    if (shape instanceof Struct struct) {
      return value instanceof JsonObject object && membersSayNothing(struct, object);
    }
    if (shape instanceof Leaf leaf && leaf != Leaf.ANY) {
      return switch (leaf) {
        case TEXT, ADDRESS, BLOCK, HANDSHAKE -> value.equals(JsonText.EMPTY);
        case INTEGER, COUNT -> value instanceof JsonNumber number && number.isZero();
        default -> false;
      };
    }
    return (value instanceof JsonObject object && object.isEmpty())
        || (value instanceof JsonArray array && array.elements().isEmpty());
  }

  private static boolean membersSayNothing(Struct struct, JsonObject object) {
    for (int i = 0; i < object.size(); i++) {
      if (!saysNothing(struct.member(object.key(i)), object.value(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether each member of {@code left} says the same in {@code right}. */
  private static boolean sameMembers(Shape shape, JsonObject left, JsonObject right) {
    Map<String, JsonValue> index = indexOf(right);
    for (int i = 0; i < left.size(); i++) {
      String key = left.key(i);
      boolean inPlace = i < right.size() && right.key(i).equals(key);
      if (!inPlace && shape instanceof MapOf && !has(right, index, key)) {
        return false;
      }
      JsonValue other = inPlace ? right.value(i) : get(right, index, key);
      if (!same(childOf(shape, key), left.value(i), other)) {
        return false;
      }
    }
    return true;
  }

  /** Whether those members of {@code object} that {@code other} lacks say nothing. */
  private static boolean restSaysNothing(Shape shape, JsonObject object, JsonObject other) {
    Map<String, JsonValue> index = indexOf(other);
    for (int i = 0; i < object.size(); i++) {
      String key = object.key(i);
      boolean inPlace = i < other.size() && other.key(i).equals(key);
      if (!inPlace
          && !has(other, index, key)
          && !saysNothing(childOf(shape, key), object.value(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameList(ListOf shape, List<JsonValue> a, List<JsonValue> b) {
    if (a.size() != b.size()) {
      return false;
    }
    return sameInOrder(shape.elements(), a, b)
        || (!shape.ordered() && sortedTexts(shape, a).equals(sortedTexts(shape, b)));
  }

  private static boolean sameInOrder(Shape elements, List<JsonValue> a, List<JsonValue> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!same(elements, a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static List<String> sortedTexts(ListOf shape, List<JsonValue> values) {
    return values.stream().map(each -> canonical(shape.elements(), each)).sorted().toList();
  }

  private static Shape childOf(Shape shape, String key) {
    if (shape instanceof Struct struct) {
      return struct.member(key);
    }
    return shape instanceof MapOf map ? map.values() : Leaf.ANY;
  }

  /** A large object's members by key; empty for a small one, which is searched. */
  private static Map<String, JsonValue> indexOf(JsonObject object) {
    if (object.size() <= SCANNED_MAX) {
      return Map.of();
    }
    Map<String, JsonValue> index = new HashMap<>();
    for (int i = 0; i < object.size(); i++) {
      index.put(object.key(i), object.value(i));
    }
    return index;
  }

  private static boolean has(JsonObject object, Map<String, JsonValue> index, String key) {
    return object.size() <= SCANNED_MAX ? object.has(key) : index.containsKey(key);
  }

  private static JsonValue get(JsonObject object, Map<String, JsonValue> index, String key) {
    return object.size() <= SCANNED_MAX ? object.get(key) : index.getOrDefault(key, JsonNull.NULL);
  }
}
