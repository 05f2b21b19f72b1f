package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An object of a document")
class JsonObjectTest {
  private static JsonObject of(String keys) {
    JsonObject.Builder builder = JsonObject.builder();
    for (int i = 0; i < keys.length(); i++) {
      builder.add(keys.substring(i, i + 1), JsonNumber.of(i));
    }
    return builder.build();
  }

  private static String keys(JsonObject object) {
    StringBuilder keys = new StringBuilder();
    for (int i = 0; i < object.size(); i++) {
      keys.append(object.key(i));
    }
    return keys.toString();
  }

  @ParameterizedTest(name = "{0} with {1}: {2}")
  @CsvSource({
    "'', b, b",
    "b, a, ab",
    "b, c, bc",
    "bd, c, bcd",
    "bd, a, abd",
    "bd, e, bde",
    "db, c, dbc",
    "db, a, dba",
    "bdc, a, bdca",
    "cbd, a, cbda",
    "cbd, e, cbde",
    "abc, b, abc",
    "cba, c, cba"
  })
  @DisplayName("takes a new key in its place where the keys ascend, at the end where they do not")
  void with(String before, String key, String after) {
    JsonObject object = of(before);
    JsonObject changed = object.with(key, JsonBoolean.TRUE);
    assertThat(keys(changed)).isEqualTo(after);
    for (int i = 0; i < changed.size(); i++) {
      JsonValue old = object.get(changed.key(i));
      assertThat(changed.value(i)).isEqualTo(changed.key(i).equals(key) ? JsonBoolean.TRUE : old);
      assertThat(changed.get(changed.key(i))).isSameAs(changed.value(i));
    }
    assertThat(object).as("the original").isEqualTo(of(before));
  }

  @Test
  @DisplayName("refuses a second value of a key, however many keys there are")
  void keyTwice() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      JsonObject.Builder builder = JsonObject.builder();
      Map<String, JsonValue> first = new LinkedHashMap<>();
      for (int i = random.nextInt(60); i > 0; i--) {
        String key = "k" + random.nextInt(40);
        JsonValue value = JsonNumber.of(i);
        assertThat(builder.add(key, value))
            .as("seed %d", seed)
            .isEqualTo(first.putIfAbsent(key, value) == null);
      }
      JsonObject object = builder.build();
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < object.size(); i++) {
        keys.add(object.key(i));
        assertThat(object.value(i)).as("seed %d", seed).isEqualTo(first.get(object.key(i)));
      }
      assertThat(keys).as("seed %d", seed).containsExactlyElementsOf(first.keySet());
    }
  }
}
