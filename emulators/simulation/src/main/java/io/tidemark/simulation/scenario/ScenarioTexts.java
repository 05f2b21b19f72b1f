package io.tidemark.simulation.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and numbers as scenario files write them. Pure. */
final class ScenarioTexts {
  private static final Pattern DURATION = Pattern.compile("-?(\\d+(\\.\\d{1,3})?(ms|h|m|s))+");
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d{1,3})?)(ms|h|m|s)");

  private ScenarioTexts() {}

  /** Reads {@code 1h30m}, {@code 250ms}, {@code -1h}, {@code 0s}; empty when it is none. */
  static Optional<Duration> duration(String text) {
    if (text.length() > 24 || !DURATION.matcher(text).matches()) {
      return Optional.empty();
    }
    double millis = 0;
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      millis += Double.parseDouble(parts.group(1)) * unitMillis(parts.group(2));
    }
    if (millis > 1e12) {
      return Optional.empty();
    }
    long whole = Math.round(millis);
    return Optional.of(Duration.ofMillis(text.startsWith("-") ? -whole : whole));
  }

  /** Reads a whole number. */
  static Optional<Long> whole(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Reads a number. */
  static Optional<Double> decimal(String text) {
    try {
      return Optional.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static double unitMillis(String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1_000;
      case "m" -> 60_000;
      default -> 3_600_000;
    };
  }

  /** Prints a duration so that {@link #duration} reads it back. */
  static String text(Duration duration) {
    long millis = Math.abs(duration.toMillis());
    String text;
    if (millis % 1000 != 0) {
      text = millis + "ms";
    } else if (millis == 0 || millis % 60_000 != 0) {
      text = millis / 1000 + "s";
    } else if (millis % 3_600_000 != 0) {
      text = millis / 60_000 + "m";
    } else {
      text = millis / 3_600_000 + "h";
    }
    return duration.isNegative() ? "-" + text : text;
  }

  /** Prints a number without a needless fraction. */
  static String number(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }
}
