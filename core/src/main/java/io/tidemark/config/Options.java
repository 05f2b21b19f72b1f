package io.tidemark.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The settings of one owner, in the order of their definition. Each method defines one setting. In
 * a meaning, {@code {}} stands for the bounds. A default outside the bounds, or an empty one, means
 * that the setting has no default value. For static initializers: not thread-safe while settings
 * are added.
 */
public final class Options {
  private static final String BOUNDS = "{}";

  private final List<Option<?>> all = new ArrayList<>();

  /** All of them. */
  public List<Option<?>> all() {
    return Collections.unmodifiableList(all);
  }

  /** Lists a setting that is defined elsewhere. */
  public <T> Option<T> with(Option<T> shared) {
    all.add(shared);
    return shared;
  }

  /** True or false. */
  public Option<Boolean> flag(String key, boolean otherwise, String meaning, String... aliases) {
    return add(
        key,
        Option.Form.FLAG,
        Optional.of(Boolean.toString(otherwise)),
        meaning,
        List.of(aliases),
        reader -> reader.flag(key, otherwise));
  }

  /** A whole number from {@code least} to {@code most}. */
  public Option<Integer> integer(
      String key, int otherwise, int least, int most, String meaning, String... aliases) {
    return add(
        key,
        Option.Form.INTEGER,
        Optional.of(otherwise).filter(number -> number >= least).map(Object::toString),
        meaning.replace(BOUNDS, least + " to " + most),
        List.of(aliases),
        reader -> reader.integer(key, otherwise, least, most));
  }

  /** A number from {@code least} to {@code most}. */
  public Option<Double> decimal(
      String key, double otherwise, double least, double most, String meaning, String... aliases) {
    return add(
        key,
        Option.Form.DECIMAL,
        Optional.of(otherwise).filter(number -> number >= least).map(Options::print),
        meaning.replace(BOUNDS, print(least) + " to " + print(most)),
        List.of(aliases),
        reader -> reader.decimal(key, otherwise, least, most));
  }

  /** A duration from {@code least} to {@code most}, all as {@link DurationText} writes them. */
  public Option<Duration> duration(
      String key, String otherwise, String least, String most, String meaning) {
    return add(
        key,
        Option.Form.DURATION,
        Optional.of(otherwise),
        meaning.replace(BOUNDS, least + " to " + most),
        List.of(),
        reader -> reader.duration(key, parse(otherwise), parse(least), parse(most)));
  }

  /** As {@link #duration}; a bare whole number counts seconds. */
  public Option<Duration> durationOrSeconds(
      String key, String otherwise, String least, String most, String meaning) {
    return add(
        key,
        Option.Form.DURATION_OR_SECONDS,
        Optional.of(otherwise),
        meaning.replace(BOUNDS, least + " to " + most),
        List.of(),
        reader -> reader.durationOrSeconds(key, parse(otherwise), parse(least), parse(most)));
  }

  /** Text that matches {@code shape}, which {@code expected} describes. */
  public Option<String> text(
      String key, String otherwise, String shape, String expected, String meaning) {
    Pattern pattern = Pattern.compile(shape);
    return text(key, otherwise, meaning, reader -> reader.text(key, otherwise, pattern, expected));
  }

  /** Text that matches {@code shape} and is never shown; empty unless it is set. */
  public Option<String> secret(String key, String shape, String expected, String meaning) {
    Pattern pattern = Pattern.compile(shape);
    return with(
        new Option<>(
            key,
            Option.Form.TEXT,
            Optional.empty(),
            meaning,
            List.of(),
            true,
            reader -> reader.text(key, "", pattern, expected)));
  }

  /** Text in a format that its owner parses. */
  public Option<String> raw(String key, String meaning) {
    return text(
        key, "", meaning, reader -> reader.source().value(key).map(String::strip).orElse(""));
  }

  /** One of the constants of an enum, written in lower case with hyphens. */
  public <E extends Enum<E>> Option<E> choice(String key, E otherwise, String meaning) {
    return text(
        key, ConfigReader.written(otherwise), meaning, reader -> reader.choice(key, otherwise));
  }

  /** Items between commas or white space. */
  public Option<List<String>> list(String key, String meaning) {
    return text(key, "", meaning, reader -> reader.list(key));
  }

  /** {@code name=value} items between commas, or a JSON object of texts. */
  public Option<Map<String, String>> map(String key, String meaning) {
    return text(key, "", meaning, reader -> reader.map(key));
  }

  private <T> Option<T> text(
      String key, String otherwise, String meaning, Function<ConfigReader, T> reading) {
    Optional<String> text = Optional.of(otherwise).filter(value -> !value.isEmpty());
    return add(key, Option.Form.TEXT, text, meaning, List.of(), reading);
  }

  private <T> Option<T> add(
      String key,
      Option.Form form,
      Optional<String> defaultText,
      String meaning,
      List<String> aliases,
      Function<ConfigReader, T> reading) {
    return with(new Option<>(key, form, defaultText, meaning, aliases, false, reading));
  }

  private static String print(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private static Duration parse(String duration) {
    return DurationText.parse(duration).orElseThrow();
  }
}
