package io.tidemark.operator.report;

import java.util.Objects;
import java.util.Optional;

/**
 * A setting in the output of {@code config}.
 *
 * @param group its owner: {@code program}, {@code engine}, {@code node-cidr}, {@code node-id} or
 *     the name of a provider
 * @param value the effective value as text; empty if it is unset and has no default
 * @param secret whether a secret value was given; then {@code value} is empty
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
