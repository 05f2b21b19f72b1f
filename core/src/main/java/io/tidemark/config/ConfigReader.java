package io.tidemark.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads settings by type. An invalid value is reported and replaced by the default, so that reading
 * continues and finds the other problems. For core and for providers.
 */
public final class ConfigReader {
  private static final Set<String> TRUE = Set.of("true", "t", "1");
  private static final Set<String> FALSE = Set.of("false", "f", "0");

  private final ConfigSource source;
  private final ConfigProblems problems;

  /** Reads {@code source} and adds problems to {@code problems}. */
  public ConfigReader(ConfigSource source, ConfigProblems problems) {
    this.source = source;
    this.problems = problems;
  }

  /** The settings that are read. */
  public ConfigSource source() {
    return source;
  }

  /** Where problems are noted. */
  public ConfigProblems problems() {
    return problems;
  }

  /** Whether a value was given. */
  public boolean isGiven(String key) {
    return source.value(key).isPresent();
  }

  /** A whole number from {@code least} to {@code most}. */
  public int integer(String key, int otherwise, int least, int most) {
    return read(
        key,
        otherwise,
        "a whole number from " + least + " to " + most,
        text -> number(text, Integer::valueOf).filter(n -> n >= least && n <= most));
  }

  /** A number from {@code least} to {@code most}. */
  public double decimal(String key, double otherwise, double least, double most) {
    return read(
        key,
        otherwise,
        "a number from " + least + " to " + most,
        text -> number(text, Double::valueOf).filter(n -> n >= least && n <= most));
  }

  /** True or false. */
  public boolean flag(String key, boolean otherwise) {
    return read(
        key,
        otherwise,
        "true or false",
        text -> {
          String lower = text.toLowerCase(Locale.ROOT);
          return TRUE.contains(lower)
              ? Optional.of(true)
              : FALSE.contains(lower) ? Optional.of(false) : Optional.empty();
        });
  }

  /** A duration from {@code least} to {@code most}, as {@link DurationText} writes it. */
  public Duration duration(String key, Duration otherwise, Duration least, Duration most) {
    return read(
        key,
        otherwise,
        "a duration from " + span(least, most) + ", such as 3m, 1m30s, 500ms or PT3M",
        text -> DurationText.parse(text).filter(d -> isBetween(d, least, most)));
  }

  /** As {@link #duration}; a bare whole number counts seconds. */
  public Duration durationOrSeconds(String key, Duration otherwise, Duration least, Duration most) {
    return read(
        key,
        otherwise,
        "seconds, or a duration from " + span(least, most) + ", such as 180, 3m or PT3M",
        text ->
            number(text, Integer::valueOf)
                .map(Duration::ofSeconds)
                .or(() -> DurationText.parse(text))
                .filter(d -> isBetween(d, least, most)));
  }

  /** Text that matches {@code form}, which {@code expected} describes. */
  public String text(String key, String otherwise, Pattern form, String expected) {
    return read(
        key, otherwise, expected, text -> Optional.of(text).filter(t -> form.matcher(t).matches()));
  }

  /** One of the constants of an enum, written in lower case with hyphens. */
  public <E extends Enum<E>> E choice(String key, E otherwise) {
    E[] choices = otherwise.getDeclaringClass().getEnumConstants();
    return read(
        key,
        otherwise,
        String.join(" or ", Arrays.stream(choices).map(ConfigReader::written).toList()),
        text -> Arrays.stream(choices).filter(c -> written(c).equals(text)).findFirst());
  }

  /** Items between commas or white space; none when not given or empty. */
  public List<String> list(String key) {
    return source.value(key).map(text -> items(text, "[,\\s]+")).orElse(List.of());
  }

  /**
   * {@code key=value} items between commas, or a JSON object of texts; each key once, in their
   * order; none when not given or empty.
   */
  public Map<String, String> map(String key) {
    return read(key, Map.of(), "items of the form name=value, each name once", this::pairs);
  }

  private Optional<Map<String, String>> pairs(String text) {
    if (text.startsWith("{")) {
      return ConfigYaml.texts(text);
    }
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String item : items(text, ",")) {
      int equals = item.indexOf('=');
      if (equals < 1
          || pairs.put(item.substring(0, equals).strip(), item.substring(equals + 1).strip())
              != null) {
        return Optional.empty();
      }
    }
    return Optional.of(Collections.unmodifiableMap(pairs));
  }

  private <T> T read(String key, T otherwise, String expected, Function<String, Optional<T>> read) {
    Optional<String> given = source.value(key).map(String::strip);
    if (given.isEmpty()) {
      return otherwise;
    }
    Optional<T> value = read.apply(given.get());
    if (value.isEmpty()) {
      problems.invalid(source, key, expected);
    }
    return value.orElse(otherwise);
  }

  private static List<String> items(String text, String separator) {
    List<String> items = new ArrayList<>();
    for (String item : text.split(separator, -1)) {
      if (!item.isBlank()) {
        items.add(item.strip());
      }
    }
    return List.copyOf(items);
  }

  private static <N> Optional<N> number(String text, Function<String, N> parse) {
    if (!text.matches("[+-]?[0-9.]{1,24}")) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse.apply(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** A constant as people write it. */
  static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String span(Duration least, Duration most) {
    return DurationText.print(least) + " to " + DurationText.print(most);
  }

  private static boolean isBetween(Duration duration, Duration least, Duration most) {
    return duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0;
  }
}
