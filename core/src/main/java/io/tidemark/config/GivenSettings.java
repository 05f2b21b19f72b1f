package io.tidemark.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Settings that were found to be known, by canonical key. */
record GivenSettings(Map<String, Setting> byKey, Set<String> secrets) implements ConfigSource {
  @Override
  public Optional<String> value(String key) {
    return Optional.ofNullable(byKey.get(key)).map(Setting::value);
  }

  @Override
  public String origin(String key) {
    Setting setting = byKey.get(key);
    return setting == null ? "default" : setting.origin();
  }

  @Override
  public boolean isSecret(String key) {
    return secrets.contains(key);
  }

  @Override
  public SortedSet<String> keys() {
    return new TreeSet<>(byKey.keySet());
  }

  /** The keys alone: values may be secret. */
  @Override
  public String toString() {
    return keys().toString();
  }
}
