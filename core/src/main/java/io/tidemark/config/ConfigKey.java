package io.tidemark.config;

import java.util.List;
import java.util.Optional;

/** A setting as people see it: published name, form, default, meaning. */
public interface ConfigKey {
  /** How a value is written. */
  enum Form {
    /** Free text of a given shape. */
    TEXT,
    /** One of several words. */
    CHOICE,
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

  /** The published key. */
  String key();

  /** How its value is written. */
  Form form();

  /** The default as it would be written; empty when unset means something else than any value. */
  Optional<String> defaultText();

  /** What it sets, with bounds, for people. */
  String meaning();

  /** Older names of the same setting. */
  default List<String> aliases() {
    return List.of();
  }
}
