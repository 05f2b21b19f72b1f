package io.tidemark.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/** Settings by their published key, such as {@code excess-ip-release-delay}. Immutable. */
public interface ConfigSource {
  /** The value as written; empty when not given. Keys are the canonical ones, aliases resolved. */
  Optional<String> value(String key);

  /**
   * Where the value was given, for messages: a file and line, the command line, an environment
   * variable, a ConfigMap; {@code default} when it was not given.
   */
  String origin(String key);

  /** Whether the value is secret and must never be shown. */
  default boolean isSecret(String key) {
    return false;
  }

  /** Every key that was given. */
  SortedSet<String> keys();

  /** Settings by canonical key that need no check, for embedding programs and tests. */
  static ConfigSource of(Map<String, String> values) {
    Map<String, Setting> settings = new HashMap<>();
    values.forEach((key, value) -> settings.put(key, new Setting(key, value, "program")));
    return new GivenSettings(settings, Set.of());
  }
}
