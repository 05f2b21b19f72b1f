package io.tidemark.emulator.kit.scenario;

import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads single values of a scenario. Pure. */
public final class Texts {
  private static final Pattern PART = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of("ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);
  private static final Duration LONGEST = Duration.ofDays(1);

  private Texts() {}

  public static Optional<Long> number(String text) {
    return text.matches("-?[0-9]{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  public static Optional<Double> decimal(String text) {
    return text.matches("[0-9]{1,12}(\\.[0-9]{1,12})?")
        ? Optional.of(Double.parseDouble(text))
        : Optional.empty();
  }

  public static Optional<Cidr> block(String text) {
    return Cidr.tryParse(text).filter(block -> block.family() == IpFamily.IPV4);
  }

  /** {@code 50ms}, {@code 1m30s}, or a range of two, {@code 20ms..80ms}. */
  public static Optional<DelayRange> range(String text) {
    int dots = text.indexOf("..");
    Optional<Duration> least = duration(dots < 0 ? text : text.substring(0, dots));
    Optional<Duration> most = dots < 0 ? least : duration(text.substring(dots + 2));
    return least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) <= 0
        ? Optional.of(new DelayRange(least.get(), most.get()))
        : Optional.empty();
  }

  private static Optional<Duration> duration(String text) {
    if (text.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    Matcher part = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length()) {
      if (!part.find(end) || part.start() != end) {
        return Optional.empty();
      }
      long unit = NANOS.getOrDefault(part.group(2), 0L);
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = part.end();
    }
    return end == 0 || nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(nanos.longValue()));
  }
}
