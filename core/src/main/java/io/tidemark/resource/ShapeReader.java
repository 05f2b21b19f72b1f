package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFormatException;
import io.tidemark.resource.Shape.Leaf;
import io.tidemark.resource.Shape.ListOf;
import io.tidemark.resource.Shape.MapOf;
import io.tidemark.resource.Shape.Struct;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks a document against a shape, reports everything that does not fit, and answers the document
 * with its address maps and lists in their compact forms. What the shape does not know is left
 * alone; null fits everywhere, as absence does.
 */
final class ShapeReader {

  private final Problems problems;

  ShapeReader(Problems problems) {
    this.problems = problems;
  }

  JsonValue read(Shape shape, JsonValue value, JsonPath path) {
    if (value.isNull() || shape == Leaf.ANY) {
      return value;
    }
    if (shape instanceof Struct struct) {
      return value instanceof JsonObject object
          ? readStruct(struct, object, path)
          : wrongType(value, path, "an object");
    }
    if (shape instanceof MapOf map) {
      return value instanceof JsonObject object
          ? readMap(map, object, path)
          : wrongType(value, path, "an object");
    }
    if (shape instanceof ListOf list) {
      return value instanceof JsonArray array
          ? readList(list, array, path)
          : wrongType(value, path, "a list");
    }
    checkLeaf((Leaf) shape, value, path);
    return value;
  }

  private JsonObject readStruct(Struct struct, JsonObject object, JsonPath path) {
    JsonObject result = object;
    for (int i = 0; i < object.size(); i++) {
      Shape member = struct.member(object.key(i));
      if (member != Leaf.ANY) {
        result = result.withValue(i, read(member, object.value(i), path.member(object.key(i))));
      }
    }
    return result;
  }

  private JsonValue readMap(MapOf map, JsonObject object, JsonPath path) {
    if (map == CiliumNodeShapes.ADDRESS_ENTRIES
        && AddressTable.compact(object) instanceof AddressTable table) {
      return table;
    }
    if (map.byAddress()) {
      checkAddressKeys(object, path);
    }
    JsonObject result = object;
    for (int i = 0; i < object.size(); i++) {
      result = result.withValue(i, read(map.values(), object.value(i), path.member(object.key(i))));
    }
    return result;
  }

  private void checkAddressKeys(JsonObject object, JsonPath path) {
    Set<IpAddress> seen = new HashSet<>();
    for (int i = 0; i < object.size(); i++) {
      String key = object.key(i);
      try {
        if (!seen.add(IpAddress.parse(key))) {
          problems.add(
              path.member(key),
              "the address of the key is named twice",
              "Leave one of the two entries.");
        }
      } catch (IpFormatException e) {
        problems.add(
            path.member(key),
            "the key is not an IP address: " + e.reason(),
            "Write an address such as 10.0.0.1, or remove the entry.");
      }
    }
  }

  private JsonValue readList(ListOf list, JsonArray array, JsonPath path) {
    if (list == CiliumNodeShapes.ADDRESS_SET
        && AddressList.compact(array) instanceof AddressList compact) {
      return compact;
    }
    if (list == CiliumNodeShapes.AZURE_ADDRESSES
        && AddressRecords.compact(array, "ip") instanceof AddressRecords records) {
      read(list.elements(), records.first(), path.element(0));
      return records;
    }
    List<JsonValue> elements = new ArrayList<>(array.elements().size());
    boolean changed = false;
    for (int i = 0; i < array.elements().size(); i++) {
      JsonValue element = array.elements().get(i);
      if (element.isNull() || (element.equals(JsonText.EMPTY) && emptyIsAbsent(list.elements()))) {
        wrongType(element, path.element(i), nameOf(list.elements()));
      }
      JsonValue read = read(list.elements(), element, path.element(i));
      changed |= read != element;
      elements.add(read);
    }
    return changed ? new JsonArray(elements) : array;
  }

  /** Whether an empty text stands for absence, which an element of a list cannot be. */
  private static boolean emptyIsAbsent(Shape shape) {
    return shape == Leaf.ADDRESS || shape == Leaf.BLOCK;
  }

  private void checkLeaf(Leaf leaf, JsonValue value, JsonPath path) {
    switch (leaf) {
      case INTEGER -> checkInteger(value, path, false);
      case COUNT, STATED_COUNT -> checkInteger(value, path, true);
      case STATED_FLAG -> {
        if (!(value instanceof JsonBoolean)) {
          wrongType(value, path, nameOf(leaf));
        }
      }
      case ANY -> {}
      case TEXT, ADDRESS, BLOCK, HANDSHAKE -> {
        if (value instanceof JsonText text) {
          checkText(leaf, text.text(), path);
        } else {
          wrongType(value, path, nameOf(leaf));
        }
      }
    }
  }

  private void checkText(Leaf leaf, String text, JsonPath path) {
    try {
      if (leaf == Leaf.ADDRESS && !text.isEmpty()) {
        IpAddress.parse(text);
      } else if (leaf == Leaf.BLOCK && !text.isEmpty()) {
        Cidr.parse(text);
      } else if (leaf == Leaf.HANDSHAKE && HandshakeState.ofWire(text).isEmpty()) {
        wrongType(new JsonText(text), path, nameOf(leaf));
      }
    } catch (IpFormatException e) {
      problems.add(
          path,
          "the value " + Problems.shown(new JsonText(text)) + " is wrong: " + e.reason(),
          "Write " + nameOf(leaf) + '.');
    }
  }

  private void checkInteger(JsonValue value, JsonPath path, boolean counting) {
    if (!(value instanceof JsonNumber number)) {
      wrongType(value, path, counting ? nameOf(Leaf.COUNT) : nameOf(Leaf.INTEGER));
      return;
    }
    if (number.toInt().isEmpty()) {
      boolean plain = number.literal().chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
      problems.add(
          path,
          "the value "
              + Problems.shown(value)
              + (plain
                  ? " does not fit a whole number of 32 bits"
                  : " is not a plain whole number"),
          "Write " + nameOf(counting ? Leaf.COUNT : Leaf.INTEGER) + '.');
    } else if (counting && number.asInt() < 0) {
      problems.add(
          path,
          "the value " + number.literal() + " is negative",
          "Write " + nameOf(Leaf.COUNT) + '.');
    }
  }

  private JsonValue wrongType(JsonValue value, JsonPath path, String expected) {
    problems.add(
        path,
        "the value is " + Problems.shown(value) + ", expected " + expected,
        "Write " + expected + ", or remove the field.");
    return value;
  }

  private static String nameOf(Shape shape) {
    if (shape instanceof Leaf leaf) {
      return leaf.text();
    }
    return shape instanceof ListOf ? "a list" : "an object";
  }
}
