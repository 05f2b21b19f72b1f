package io.tidemark.resource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Writes an object again as another program might: other order of keys and of sets, numbers spelled
 * in another way, empty members added and left out. The meaning stays.
 */
final class RandomRewrites {
  private static final Set<String> SETS =
      Set.of("addresses", "prefixes", "ipv6-prefixes", "security-groups", "cidrs");
  private static final Set<String> TEXTS =
      Set.of("mac", "availability-zone", "description", "ip", "public-ip");
  private static final Set<String> MAPS_OF_DATA =
      Set.of(
          "pool", "used", "release-ips", "enis", "tags", "annotations", "labels", "static-ip-tags");

  /**
   * Where a value stands: below a member that this program knows, or below one that it does not.
   */
  private enum Ground {
    KNOWN,
    ENI,
    DATA,
    FOREIGN
  }

  private final Random random;

  RandomRewrites(Random random) {
    this.random = random;
  }

  NodeResource of(NodeResource node) {
    JsonObject json = node.json();
    JsonObject changed = json;
    for (String half : List.of("spec", "status")) {
      changed = changed.with(half, object(json.get(half).asObject(), Ground.KNOWN));
    }
    return TestResources.parse(TreePrinter.compact(changed));
  }

  private JsonObject object(JsonObject object, Ground ground) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < object.size(); i++) {
      order.add(i);
    }
    if (random.nextBoolean()) {
      Collections.shuffle(order, random);
    }
    JsonObject.Builder written = JsonObject.builder();
    boolean hollow =
        ground != Ground.ENI
            && order.stream().allMatch(i -> isNothing(object.key(i), object.value(i), ground));
    for (int i : order) {
      String key = object.key(i);
      JsonValue value = value(key, object.value(i), ground);
      boolean needed = ground == Ground.DATA || hollow || !isNothing(key, object.value(i), ground);
      if (needed || random.nextBoolean()) {
        written.add(key, value);
      }
    }
    if (ground == Ground.ENI) {
      addNothing(written);
    }
    return written.build();
  }

  private void addNothing(JsonObject.Builder written) {
    if (random.nextInt(3) == 0) {
      written.add("tags", random.nextBoolean() ? JsonObject.EMPTY : JsonNull.NULL);
      written.add("number", JsonNumber.of(0));
      written.add("vpc", JsonObject.EMPTY);
      written.add("public-ip", JsonText.EMPTY);
      written.add("prefixes", JsonArray.EMPTY);
    }
  }

  private static boolean isNothing(String key, JsonValue value, Ground ground) {
    boolean empty =
        value.isNull()
            || (value instanceof JsonObject object && object.isEmpty())
            || (value instanceof JsonArray array && array.elements().isEmpty());
    boolean known = ground == Ground.ENI;
    return empty
        || (known && TEXTS.contains(key) && value.equals(JsonText.EMPTY))
        || (known && key.equals("number") && value.asInt() == 0);
  }

  private JsonValue value(String key, JsonValue value, Ground ground) {
    JsonValue plain =
        value instanceof AddressTable
            ? value.asObject()
            : value instanceof AddressList || value instanceof AddressRecords
                ? value.asArray()
                : value;
    boolean known = ground != Ground.FOREIGN && !key.startsWith("foreign-");
    if (plain instanceof JsonObject object) {
      return object(object, known ? below(key, ground) : Ground.FOREIGN);
    }
    if (plain instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>();
      boolean inside = known && !SETS.contains(key) && !key.startsWith("later");
      array
          .elements()
          .forEach(each -> elements.add(value("", each, inside ? ground : Ground.FOREIGN)));
      if (known && ground == Ground.ENI && SETS.contains(key)) {
        Collections.shuffle(elements, random);
      }
      return new JsonArray(elements);
    }
    return plain instanceof JsonNumber number && !known ? spelled(number) : plain;
  }

  /** The members of the object behind {@code key}. */
  private static Ground below(String key, Ground ground) {
    if (MAPS_OF_DATA.contains(key)) {
      return Ground.DATA;
    }
    if (ground == Ground.DATA) {
      return key.startsWith("eni-") ? Ground.ENI : Ground.KNOWN;
    }
    boolean part = key.equals("vpc") || key.equals("subnet");
    return ground == Ground.ENI && part ? Ground.KNOWN : ground;
  }

  private JsonNumber spelled(JsonNumber number) {
    String literal = number.literal();
    if (literal.length() > 40 || random.nextBoolean()) {
      return number;
    }
    if (literal.matches("-?[0-9]+")) {
      return new JsonNumber(random.nextBoolean() ? literal + ".0" : literal + "e0");
    }
    return literal.matches("-?[0-9]+\\.[0-9]+") ? new JsonNumber(literal + "0") : number;
  }
}
