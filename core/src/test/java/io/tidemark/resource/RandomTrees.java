package io.tidemark.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Document trees from a seed. */
final class RandomTrees {
  private static final String[] LITERALS = {
    "0", "-0", "1.0", "1.50", "1e3", "1E-7", "-12.5e+10", "12345678901234567890", "0.1"
  };
  private static final String[] TEXTS = {
    "",
    "x",
    "10.0.0.1",
    "a\"b\\c",
    "\u00fc\u4e2d",
    "\ud83d\ude00",
    "tab\tnew\nline",
    "\u0001",
    "</s>"
  };

  private final Random random;

  RandomTrees(Random random) {
    this.random = random;
  }

  /** The object with random members added at every level where members are names. */
  JsonObject withForeignFields(JsonObject object) {
    JsonObject.Builder builder = JsonObject.builder();
    int foreign = 0;
    for (int i = 0; i <= object.size(); i++) {
      while (random.nextInt(4) == 0) {
        builder.add("foreign-" + foreign++ + text(), value(3));
      }
      if (i < object.size()) {
        builder.add(object.key(i), inside(object.key(i), object.value(i)));
      }
    }
    return builder.build();
  }

  private JsonValue inside(String key, JsonValue value) {
    boolean dataKeys = Set.of("annotations", "labels", "tags", "release-ips").contains(key);
    boolean entries = key.equals("pool") || key.equals("used") || key.equals("enis");
    if (entries) {
      JsonObject map = value.asObject();
      JsonObject changed = map;
      for (int i = 0; i < map.size(); i++) {
        if (random.nextBoolean() && map.value(i) instanceof JsonObject entry) {
          changed = changed.withValue(i, withForeignFields(entry));
        }
      }
      return changed;
    }
    return value instanceof JsonObject object && !dataKeys ? withForeignFields(object) : value;
  }

  JsonValue value(int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> JsonNull.NULL;
      case 1 -> JsonBoolean.of(random.nextBoolean());
      case 2 -> new JsonNumber(LITERALS[random.nextInt(LITERALS.length)]);
      case 3, 4 -> new JsonText(text());
      case 5 -> {
        List<JsonValue> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          elements.add(value(depth - 1));
        }
        yield new JsonArray(elements);
      }
      default -> {
        JsonObject.Builder builder = JsonObject.builder();
        for (int i = random.nextInt(4); i > 0; i--) {
          builder.add(text() + i, value(depth - 1));
        }
        yield builder.build();
      }
    };
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }
}
