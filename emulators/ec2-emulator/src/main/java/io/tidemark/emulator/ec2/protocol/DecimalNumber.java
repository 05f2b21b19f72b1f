package io.tidemark.emulator.ec2.protocol;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Numbers as requests write them: an optional minus and ASCII digits. {@link Integer#parseInt}
 * takes digits of every script, which EC2 refuses.
 */
public final class DecimalNumber {
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern FRACTION =
      Pattern.compile("-?([0-9]{1,18}(\\.[0-9]{0,18})?|\\.[0-9]{1,18})");

  private DecimalNumber() {}

  /** A whole number of 32 bits; empty when it is none. */
  public static OptionalInt integer(String text) {
    Optional<Long> whole = whole(text).filter(number -> number.intValue() == number);
    return whole.isPresent() ? OptionalInt.of(whole.get().intValue()) : OptionalInt.empty();
  }

  /** A whole number of up to 18 digits; empty when it is none. */
  public static Optional<Long> whole(String text) {
    return WHOLE.matcher(text).matches() ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  /** A number with or without a fraction; empty when it is none. */
  public static Optional<Double> fraction(String text) {
    return FRACTION.matcher(text).matches()
        ? Optional.of(Double.parseDouble(text))
        : Optional.empty();
  }
}
