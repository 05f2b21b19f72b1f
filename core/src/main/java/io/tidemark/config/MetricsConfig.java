package io.tidemark.config;

import java.util.Objects;

/**
 * What is counted.
 *
 * @param enabled whether anything is
 * @param prefix what the names begin with, the last underscore included
 */
public record MetricsConfig(boolean enabled, String prefix) {
  public MetricsConfig {
    Objects.requireNonNull(prefix, "prefix");
  }
}
