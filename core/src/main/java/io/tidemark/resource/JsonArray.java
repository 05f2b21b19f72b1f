package io.tidemark.resource;

import java.util.List;

/** An array. */
record JsonArray(List<JsonValue> elements) implements JsonValue {
  static final JsonArray EMPTY = new JsonArray(List.of());

  JsonArray {
    elements = List.copyOf(elements);
  }

  @Override
  public JsonArray asArray() {
    return this;
  }
}
