package io.tidemark.resource;

/** Foreign values as problems quote them: short and printable. */
final class Shown {
  private static final int LENGTH_MAX = 64;

  private Shown() {}

  /** A value in the words of the wire, texts in quotes. */
  static String value(JsonValue value) {
    if (value instanceof JsonText text) {
      return '"' + text(text.text(), LENGTH_MAX) + '"';
    }
    if (value instanceof JsonNumber number) {
      return text(number.literal(), LENGTH_MAX);
    }
    if (value instanceof JsonBoolean flag) {
      return flag == JsonBoolean.TRUE ? "true" : "false";
    }
    if (value.isNull()) {
      return "null";
    }
    return value instanceof JsonArray || value instanceof AddressList ? "a list" : "an object";
  }

  /** The text with control and exotic characters replaced, cut to a length. */
  static String text(String text, int lengthMax) {
    int length = Math.min(text.length(), lengthMax);
    StringBuilder out = new StringBuilder(length + 3);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || c > '~' ? '?' : c);
    }
    return text.length() > length ? out.append("...").toString() : out.toString();
  }
}
