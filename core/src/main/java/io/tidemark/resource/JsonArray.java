package io.tidemark.resource;

import java.util.Collection;
import java.util.List;

/** An array. */
record JsonArray(List<JsonValue> elements) implements JsonValue {
  static final JsonArray EMPTY = new JsonArray(List.of());

  JsonArray {
    elements = List.copyOf(elements);
  }

  /** An array of the texts that the elements print. */
  static JsonArray ofTexts(Collection<?> elements) {
    return new JsonArray(
        elements.stream().<JsonValue>map(each -> new JsonText(each.toString())).toList());
  }

  @Override
  public JsonArray asArray() {
    return this;
  }
}
