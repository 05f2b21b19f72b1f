package io.tidemark.config;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What is counted.
 *
 * @param enabled whether anything is
 * @param prefix what the names begin with, the last underscore included
 */
public record MetricsConfig(boolean enabled, String prefix) {
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

  public MetricsConfig {
    Objects.requireNonNull(prefix, "prefix");
  }

  static MetricsConfig read(ConfigReader reader) {
    return new MetricsConfig(
        reader.flag(CoreKey.ENABLE_METRICS.key(), true),
        reader.text(
            CoreKey.METRICS_PREFIX.key(),
            "cilium_operator_ipam_",
            PREFIX,
            "1 to 64 letters, digits and '_', no digit first"));
  }
}
