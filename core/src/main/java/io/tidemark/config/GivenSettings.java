package io.tidemark.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Settings that were found to be known, by canonical key. */
final class GivenSettings implements ConfigSource {
  private final TreeMap<String, Setting> byKey = new TreeMap<>();

  private final Set<String> secrets;

  GivenSettings(Map<String, Setting> byKey, Set<String> secrets) {
    this.byKey.putAll(byKey);
    this.secrets = Set.copyOf(secrets);
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
  public boolean isSecret(String key) {
    return secrets.contains(key);
  }

  @Override
  public SortedSet<String> keys() {
    return new TreeSet<>(byKey.keySet());
  }
}
