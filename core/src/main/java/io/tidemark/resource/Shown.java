package io.tidemark.resource;

import io.tidemark.ip.IpFormatException;

/** Foreign values as problems quote them: short and printable. */
final class Shown {
  private static final int LENGTH_MAX = 64;

  private Shown() {}

  /** A value in the words of the wire, texts in quotes. */
  static String value(JsonValue value) {
    if (value instanceof JsonText text) {
      return '"' + IpFormatException.printable(text.text(), LENGTH_MAX) + '"';
    }
    if (value instanceof JsonNumber number) {
      return IpFormatException.printable(number.literal(), LENGTH_MAX);
    }
    if (value instanceof JsonBoolean flag) {
      return flag == JsonBoolean.TRUE ? "true" : "false";
    }
    if (value.isNull()) {
      return "null";
    }
    return value instanceof JsonArray || value instanceof AddressList ? "a list" : "an object";
  }
}
