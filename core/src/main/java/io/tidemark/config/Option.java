package io.tidemark.config;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A setting, defined once: published key, form, bounds, default and meaning. Validation, {@code
 * --help} and the tables of the documents use this definition. Created by {@link Options}.
 *
 * @param <T> the type of the value
 * @param key the published key
 * @param form the format of its value
 * @param defaultText the default as text; empty when leaving the setting unset differs from any
 *     value
 * @param meaning its effect, with its bounds
 * @param aliases older names of the same setting
 * @param secret whether its value must never be shown
 * @param reading reads the value
 */
public record Option<T>(
    String key,
    Form form,
    Optional<String> defaultText,
    String meaning,
    List<String> aliases,
    boolean secret,
    Function<ConfigReader, T> reading) {
  /** The format of a value. */
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

  /** The value. An invalid value adds a problem to the reader and is replaced by the default. */
  public T read(ConfigReader reader) {
    return reading.apply(reader);
  }
}
