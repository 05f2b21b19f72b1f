package io.tidemark.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as settings write them: {@code 3m}, {@code 1m30s}, {@code 1.5h}, {@code 500ms} as in
 * Go, or {@code PT3M} as in ISO-8601 (node-manager N7). Pure.
 */
public final class DurationText {
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final int LONGEST = 64;

  private DurationText() {}

  /** The duration, or empty when {@code text} is none or too long for nanoseconds. */
  public static Optional<Duration> parse(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    return text.startsWith("P") || text.startsWith("-P") ? iso(text) : go(text);
  }

  private static Optional<Duration> iso(String text) {
    try {
      Duration duration = Duration.parse(text);
      return Optional.of(Duration.ofNanos(duration.toNanos()));
    } catch (DateTimeParseException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> go(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    Matcher part = PART.matcher(rest);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (end < rest.length()) {
      if (!part.find(end) || part.start() != end) {
        return Optional.empty();
      }
      long unit = NANOS.getOrDefault(part.group(2), 0L);
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = part.end();
    }
    return end == 0 ? Optional.empty() : exact(negative ? nanos.negate() : nanos);
  }

  private static Optional<Duration> exact(BigDecimal nanos) {
    try {
      return Optional.of(Duration.ofNanos(nanos.toBigInteger().longValueExact()));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** Hours, minutes, seconds and the rest, such as {@code 1h0m30s}, {@code 3m}, {@code 10ms}. */
  public static String print(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    if (duration.isNegative()) {
      return "-" + print(duration.negated());
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toHours(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    int nanos = duration.toNanosPart();
    append(text, nanos / 1_000_000, "ms");
    append(text, nanos / 1_000 % 1_000, "us");
    append(text, nanos % 1_000, "ns");
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(count).append(unit);
    }
  }
}
