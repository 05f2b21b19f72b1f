package io.tidemark.provider.mock;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them, such as {@code 1m30s}, or as ISO-8601. Pure. */
final class DurationText {
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)");
  private static final Pattern WHOLE = Pattern.compile("(?:\\d+(?:\\.\\d+)?(?:ns|us|ms|s|m|h))+");
  private static final Map<String, Double> NANOS =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9, "m", 60e9, "h", 3600e9);

  private DurationText() {}

  static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Duration duration = WHOLE.matcher(text).matches() ? go(text) : iso(text);
    if (duration.isNegative()) {
      throw new IllegalArgumentException("expected 0 or more");
    }
    return duration;
  }

  private static Duration go(String text) {
    double nanos = 0;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      nanos += Double.parseDouble(part.group(1)) * NANOS.getOrDefault(part.group(2), 0.0);
    }
    return Duration.ofNanos((long) nanos);
  }

  private static Duration iso(String text) {
    try {
      return Duration.parse(text);
    } catch (java.time.format.DateTimeParseException wrong) {
      throw new IllegalArgumentException("expected a duration such as 200ms, 1m30s or PT5S", wrong);
    }
  }
}
