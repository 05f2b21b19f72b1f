package io.tidemark.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A setting, defined once: published key, form, bounds, default and meaning. Validation, {@code
 * --help} and the tables of the documents come from it. Immutable.
 *
 * @param <T> what it is read as
 */
public final class Option<T> {
  /** Where the meaning of an option says it, its bounds are inserted. */
  private static final String BOUNDS = "{}";

  private final String key;
  private final Form form;
  private final Optional<String> defaultText;
  private final String meaning;
  private final List<String> aliases;
  private final Function<ConfigReader, T> read;

  private Option(
      String key,
      Form form,
      Optional<String> defaultText,
      String meaning,
      List<String> aliases,
      Function<ConfigReader, T> read) {
    this.key = key;
    this.form = form;
    this.defaultText = defaultText;
    this.meaning = meaning;
    this.aliases = List.copyOf(aliases);
    this.read = read;
  }

  /** How a value is written. */
  public enum Form {
    /** Free text of a given shape, or one of several words. */
    TEXT,
    /** {@code true} or {@code false}. */
    FLAG,
    /** A whole number. */
    INTEGER,
    /** A number. */
    DECIMAL,
    /** {@code 3m}, {@code 1m30s}, {@code PT3M}. */
    DURATION,
    /** The same, or a bare number of seconds. */
    DURATION_OR_SECONDS
  }

  private static <T> Option<T> of(
      String key, Form form, String otherwise, Function<ConfigReader, T> read) {
    return new Option<>(key, form, Optional.of(otherwise), "", List.of(), read);
  }

  /** True or false. */
  public static Option<Boolean> flag(String key, boolean otherwise) {
    return of(key, Form.FLAG, Boolean.toString(otherwise), reader -> reader.flag(key, otherwise));
  }

  /** A whole number from {@code least} to {@code most}. */
  public static Option<Integer> integer(String key, int otherwise, int least, int most) {
    return of(
            key,
            Form.INTEGER,
            Integer.toString(otherwise),
            reader -> reader.integer(key, otherwise, least, most))
        .within(least + " to " + most);
  }

  /** A number from {@code least} to {@code most}. */
  public static Option<Double> decimal(String key, double otherwise, double least, double most) {
    return of(
            key,
            Form.DECIMAL,
            print(otherwise),
            reader -> reader.decimal(key, otherwise, least, most))
        .within(print(least) + " to " + print(most));
  }

  /** A duration from {@code least} to {@code most}, all as {@link DurationText} writes them. */
  public static Option<Duration> duration(String key, String otherwise, String least, String most) {
    return of(
            key,
            Form.DURATION,
            otherwise,
            reader -> reader.duration(key, parse(otherwise), parse(least), parse(most)))
        .within(least + " to " + most);
  }

  /** As {@link #duration}; a bare whole number counts seconds. */
  public static Option<Duration> durationOrSeconds(
      String key, String otherwise, String least, String most) {
    return of(
            key,
            Form.DURATION_OR_SECONDS,
            otherwise,
            reader -> reader.durationOrSeconds(key, parse(otherwise), parse(least), parse(most)))
        .within(least + " to " + most);
  }

  /** Text that matches {@code shape}, which {@code expected} describes. */
  public static Option<String> text(String key, String otherwise, String shape, String expected) {
    Pattern pattern = Pattern.compile(shape);
    return of(key, Form.TEXT, otherwise, reader -> reader.text(key, otherwise, pattern, expected));
  }

  /** One of the constants of an enum, written in lower case with hyphens. */
  public static <E extends Enum<E>> Option<E> choice(String key, E otherwise) {
    return of(
        key, Form.TEXT, ConfigReader.written(otherwise), reader -> reader.choice(key, otherwise));
  }

  private Option<T> within(String bounds) {
    return new Option<>(key, form, defaultText, bounds, aliases, read);
  }

  /** The same option with what it sets; {@code {}} in the text becomes the bounds. */
  public Option<T> means(String text) {
    return new Option<>(key, form, defaultText, text.replace(BOUNDS, meaning), aliases, read);
  }

  /** The same option; unset means something else than any value, as its meaning says. */
  public Option<T> withoutDefault() {
    return new Option<>(key, form, Optional.empty(), meaning, aliases, read);
  }

  /** The same option, which is known by older names, too. */
  public Option<T> withAliases(String... older) {
    return new Option<>(key, form, defaultText, meaning, List.of(older), read);
  }

  /** The published key. */
  public String key() {
    return key;
  }

  /** How its value is written. */
  public Form form() {
    return form;
  }

  /** The default as it would be written; empty when unset means something else than any value. */
  public Optional<String> defaultText() {
    return defaultText;
  }

  /** What it sets, with its bounds. */
  public String meaning() {
    return meaning;
  }

  /** Older names of the same setting. */
  public List<String> aliases() {
    return aliases;
  }

  /** The value; a problem is noted in the reader, and the default taken in place of the value. */
  public T read(ConfigReader reader) {
    return read.apply(reader);
  }

  private static String print(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private static Duration parse(String duration) {
    return DurationText.parse(duration).orElseThrow();
  }
}
