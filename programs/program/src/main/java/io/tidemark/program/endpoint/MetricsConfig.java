package io.tidemark.program.endpoint;

import io.tidemark.config.ConfigReader;
import io.tidemark.config.Option;
import io.tidemark.config.Options;
import java.util.List;

/**
 * Which metrics the program collects.
 *
 * @param enabled whether it collects any
 * @param prefix what the names begin with, the last underscore included
 */
public record MetricsConfig(boolean enabled, String prefix) {
  private static final Options ALL = new Options();

  private static final Option<Boolean> ENABLE_METRICS =
      ALL.flag("enable-metrics", true, "collect and publish metrics");
  private static final Option<String> METRICS_PREFIX =
      ALL.text(
          "metrics-prefix",
          "cilium_operator_ipam_",
          "[A-Za-z_][A-Za-z0-9_]{0,63}",
          "1 to 64 letters, digits and '_', no digit first",
          "prefix of metric names; letters, digits and '_'");

  /** Its settings, in the order of the document. */
  public static List<Option<?>> settings() {
    return ALL.all();
  }

  /** Reads them. An invalid value adds a problem to the reader and is replaced by the default. */
  public static MetricsConfig read(ConfigReader reader) {
    return new MetricsConfig(ENABLE_METRICS.read(reader), METRICS_PREFIX.read(reader));
  }
}
