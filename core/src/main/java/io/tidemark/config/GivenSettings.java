package io.tidemark.config;

import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Settings that were found to be known, by canonical key. */
final class GivenSettings implements ConfigSource {
  private final TreeMap<String, Setting> byKey = new TreeMap<>();

  GivenSettings(Map<String, Setting> byKey) {
    this.byKey.putAll(byKey);
  }

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
  public SortedSet<String> keys() {
    return new TreeSet<>(byKey.keySet());
  }
}
