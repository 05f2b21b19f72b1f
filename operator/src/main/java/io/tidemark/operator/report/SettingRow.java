package io.tidemark.operator.report;

import java.util.Objects;
import java.util.Optional;

/**
 * One setting as {@code config} shows it.
 *
 * @param group whose it is: {@code program}, {@code engine} or a provider's name
 * @param value what holds, as it would be written; empty when unset has a meaning of its own
 * @param secret whether a value was given that nobody may see; then {@code value} is empty
 * @param origin where it was given, or {@code default}
 */
public record SettingRow(
    String key,
    String group,
    Optional<String> value,
    boolean secret,
    String origin,
    String meaning) {
  public SettingRow {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(meaning, "meaning");
    if (secret && value.isPresent()) {
      throw new IllegalArgumentException(key + " is secret and has a value to show");
    }
  }
}
