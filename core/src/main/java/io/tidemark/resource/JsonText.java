package io.tidemark.resource;

/** A string. */
record JsonText(String text) implements JsonValue {
  static final JsonText EMPTY = new JsonText("");

  @Override
  public String asText() {
    return text;
  }
}
