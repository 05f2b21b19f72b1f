package io.tidemark.resource;

import java.util.Objects;

/** A string. */
record JsonText(String text) implements JsonValue {
  static final JsonText EMPTY = new JsonText("");

  JsonText {
    Objects.requireNonNull(text, "text");
  }

  @Override
  public String asText() {
    return text;
  }
}
