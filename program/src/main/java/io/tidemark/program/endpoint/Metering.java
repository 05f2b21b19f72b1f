package io.tidemark.program.endpoint;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.metrics.IpamMetrics;
import io.tidemark.metrics.MicrometerCloudApiMetrics;
import io.tidemark.metrics.MicrometerIpamMetrics;
import io.tidemark.metrics.NoMetrics;
import java.util.Optional;

/**
 * The metrics of a running operator, in the text form that Prometheus reads; or none. Thread-safe.
 */
public final class Metering implements AutoCloseable {
  /** Media type of {@link #scrape}. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String OWN = "ipam_";

  private final Optional<PrometheusMeterRegistry> registry;
  private final IpamMetrics ipam;
  private final CloudApiMetrics cloud;

  private Metering(
      Optional<PrometheusMeterRegistry> registry, IpamMetrics ipam, CloudApiMetrics cloud) {
    this.registry = registry;
    this.ipam = ipam;
    this.cloud = cloud;
  }

  /**
   * What the settings ask for.
   *
   * @param cloud the cloud's word in the names of metrics
   */
  public static Metering of(MetricsConfig config, String cloud) {
    if (!config.enabled()) {
      return new Metering(Optional.empty(), NoMetrics.IPAM, NoMetrics.CLOUD);
    }
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    return new Metering(
        Optional.of(registry),
        new MicrometerIpamMetrics(registry, config.prefix()),
        new MicrometerCloudApiMetrics(registry, cloudPrefix(config.prefix(), cloud)));
  }

  /** {@code cilium_operator_ipam_} and {@code mock} give {@code cilium_operator_mock_}. */
  static String cloudPrefix(String prefix, String cloud) {
    String common =
        prefix.endsWith(OWN) ? prefix.substring(0, prefix.length() - OWN.length()) : prefix;
    return common + cloud + "_";
  }

  /** Where the node manager counts. */
  public IpamMetrics ipam() {
    return ipam;
  }

  /** Where the cloud door counts. */
  public CloudApiMetrics cloud() {
    return cloud;
  }

  /** All metrics; empty when they are off. */
  Optional<String> scrape() {
    return registry.map(PrometheusMeterRegistry::scrape);
  }

  @Override
  public void close() {
    registry.ifPresent(PrometheusMeterRegistry::close);
  }
}
