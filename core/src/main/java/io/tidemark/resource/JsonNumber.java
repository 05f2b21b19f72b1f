package io.tidemark.resource;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * A number, kept as it was written.
 *
 * @param literal a JSON number
 */
record JsonNumber(String literal) implements JsonValue {
  JsonNumber {
    Objects.requireNonNull(literal, "literal");
  }

  static JsonNumber of(int value) {
    return new JsonNumber(Integer.toString(value));
  }

  /** The value when the literal is a whole number of 32 bits, without fraction and exponent. */
  OptionalInt toInt() {
    try {
      return OptionalInt.of(Integer.parseInt(literal));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  @Override
  public int asInt() {
    return toInt().orElse(0);
  }
}
