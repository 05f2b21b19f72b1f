package io.tidemark.simulation;

import io.tidemark.config.ConfigSource;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;

/** Every setting of a provider at its default. */
enum EmptyConfig implements ConfigSource {
  INSTANCE;

  @Override
  public Optional<String> value(String key) {
    return Optional.empty();
  }

  @Override
  public String origin(String key) {
    return "scenario";
  }

  @Override
  public SortedSet<String> keys() {
    return Collections.emptySortedSet();
  }
}
