package io.tidemark.resource;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reading and setting members of checked objects. */
final class Members {
  private Members() {}

  /** The text of a member; empty when it is absent or empty. */
  static Optional<String> text(JsonObject object, String key) {
    String text = object.get(key).asText();
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  static Optional<Boolean> flag(JsonObject object, String key) {
    return object.get(key) instanceof JsonBoolean flag
        ? Optional.of(flag == JsonBoolean.TRUE)
        : Optional.empty();
  }

  static List<String> texts(JsonObject object, String key) {
    List<String> texts = new ArrayList<>();
    object.get(key).asArray().elements().forEach(each -> texts.add(each.asText()));
    return texts;
  }

  /** An array of the texts that the elements print. */
  static JsonArray arrayOf(Collection<?> elements) {
    return new JsonArray(
        elements.stream().<JsonValue>map(each -> new JsonText(each.toString())).toList());
  }

  /** An object of pairs of key and text, in the map's order. */
  static JsonObject objectOf(Map<String, String> texts) {
    JsonObject.Builder builder = JsonObject.builder();
    texts.forEach((key, text) -> builder.add(key, new JsonText(text)));
    return builder.build();
  }

  static Map<String, String> textMap(JsonObject object, String key) {
    JsonObject map = object.get(key).asObject();
    if (map.isEmpty()) {
      return Map.of();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = 0; i < map.size(); i++) {
      texts.put(map.key(i), map.value(i).asText());
    }
    return texts;
  }

  /**
   * The object with a member set. A member that says the same already stays as it is written; one
   * that shall say nothing goes (NM-J2).
   */
  static JsonObject set(Shape.Struct shape, JsonObject object, String key, JsonValue value) {
    Shape member = shape.member(key);
    JsonValue old = object.get(key);
    if (Sameness.same(member, old, value)) {
      return object;
    }
    return Sameness.saysNothing(member, value) ? object.without(key) : object.with(key, value);
  }

  static JsonValue flag(Optional<Boolean> value) {
    return value.<JsonValue>map(JsonBoolean::of).orElse(JsonNull.NULL);
  }

  /** The printed form of a value as a text; nothing when there is none. */
  static JsonValue printed(Optional<?> value) {
    return value.<JsonValue>map(each -> new JsonText(each.toString())).orElse(JsonNull.NULL);
  }
}
