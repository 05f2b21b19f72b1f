package io.tidemark.config;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A setting, defined once: published key, form, bounds, default and meaning. Validation, {@code
 * --help} and the tables of the documents come from it. Made by {@link Options}.
 *
 * @param <T> what it is read as
 * @param key the published key
 * @param form how its value is written
 * @param defaultText the default as it would be written; empty when unset means something else than
 *     any value
 * @param meaning what it sets, with its bounds
 * @param aliases older names of the same setting
 * @param secret whether its value is never shown
 * @param reading takes the value from a reader
 */
public record Option<T>(
    String key,
    Form form,
    Optional<String> defaultText,
    String meaning,
    List<String> aliases,
    boolean secret,
    Function<ConfigReader, T> reading) {
  public Option {
    aliases = List.copyOf(aliases);
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

  /** The value; a problem is noted in the reader, and the default taken in place of the value. */
  public T read(ConfigReader reader) {
    return reading.apply(reader);
  }
}
