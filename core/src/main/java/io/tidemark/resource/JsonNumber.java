package io.tidemark.resource;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A number, kept as it was written.
 *
 * @param literal a JSON number
 */
record JsonNumber(String literal) implements JsonValue {
  /** Longer literals are compared as texts: their values would take too long to work out. */
  private static final int COMPARED_MAX = 64;

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

  boolean isZero() {
    return value().map(each -> each.signum() == 0).orElse(false);
  }

  /** Whether both have the same value, such as {@code 5}, {@code 5.0} and {@code 5e0}. */
  boolean sameAs(JsonNumber other) {
    return literal.equals(other.literal) || (value().isPresent() && value().equals(other.value()));
  }

  int valueHash() {
    Optional<BigDecimal> value = value();
    return value.isPresent() ? value.get().hashCode() : literal.hashCode();
  }

  /** The value in its shortest form; empty where it is too long or too large to work out. */
  private Optional<BigDecimal> value() {
    if (literal.length() > COMPARED_MAX) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BigDecimal(literal).stripTrailingZeros());
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int asInt() {
    return toInt().orElse(0);
  }
}
