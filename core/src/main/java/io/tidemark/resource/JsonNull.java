package io.tidemark.resource;

/** The value null; also what reading an absent key answers. */
enum JsonNull implements JsonValue {
  NULL;

  @Override
  public boolean isNull() {
    return true;
  }
}
