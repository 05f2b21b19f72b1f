package io.tidemark.resource;

/** True or false. */
enum JsonBoolean implements JsonValue {
  FALSE,
  TRUE;

  static JsonBoolean of(boolean value) {
    return value ? TRUE : FALSE;
  }
}
