package io.tidemark.program.endpoint;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.metrics.IpamMetrics;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.MicrometerCloudApiMetrics;
import io.tidemark.metrics.MicrometerIpamMetrics;
import io.tidemark.metrics.NoMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The metrics of a running program, in the text form that Prometheus reads; or none. Thread-safe.
 */
public final class Metering implements AutoCloseable {
  /** Media type of {@link #scrape}. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String OWN = "ipam_";
  private static final double MILLIS = 1000.0;

  private final Optional<PrometheusMeterRegistry> registry;
  private final Parts parts;

  /** The registry and its meters; nothing unless it is set. Not changed after the construction. */
  private static final class Parts {
    private IpamMetrics ipam = NoMetrics.IPAM;
    private CloudApiMetrics cloud = NoMetrics.CLOUD;
    private Meters meters = Meters.none();
  }

  private Metering(Optional<PrometheusMeterRegistry> registry, Parts parts) {
    this.registry = registry;
    this.parts = parts;
  }

  /** None unless they are enabled; else those that are set. */
  private static Metering of(boolean enabled, BiConsumer<Parts, PrometheusMeterRegistry> setting) {
    Parts parts = new Parts();
    if (!enabled) {
      return new Metering(Optional.empty(), parts);
    }
    PrometheusMeterRegistry registry = ofProcess();
    setting.accept(parts, registry);
    return new Metering(Optional.of(registry), parts);
  }

  /**
   * Those of an operator.
   *
   * @param cloud the cloud's word in the names of metrics
   */
  public static Metering of(MetricsConfig config, String cloud) {
    return of(
        config.enabled(),
        (parts, registry) -> {
          parts.meters = new Meters(registry);
          parts.ipam = new MicrometerIpamMetrics(registry, config.prefix());
          parts.cloud =
              new MicrometerCloudApiMetrics(registry, cloudPrefix(config.prefix(), cloud));
        });
  }

  /** Those of the program of a node. */
  public static Metering ofNode(boolean enabled) {
    return of(enabled, (parts, registry) -> parts.meters = new Meters(registry));
  }

  /** Those of the stores of a node's network cards and of the calls that they answer. */
  public static Metering ofStores(boolean enabled) {
    return of(enabled, (parts, registry) -> parts.meters = new Meters(registry));
  }

  /**
   * Those of the assignment of pod CIDRs to nodes.
   *
   * @param cloud of the cloud that nodes follow, its word in the names of metrics
   */
  public static Metering ofNodeCidrs(MetricsConfig config, Optional<String> cloud) {
    return of(
        config.enabled(),
        (parts, registry) -> {
          parts.meters = new Meters(registry);
          cloud.ifPresent(
              word ->
                  parts.cloud =
                      new MicrometerCloudApiMetrics(registry, cloudPrefix(config.prefix(), word)));
        });
  }

  /** Those of the assignment of ids to nodes. */
  public static Metering ofNodeIds(boolean enabled) {
    return of(enabled, (parts, registry) -> parts.meters = new Meters(registry));
  }

  /** None at all. */
  public static Metering off() {
    return new Metering(Optional.empty(), new Parts());
  }

  private static PrometheusMeterRegistry ofProcess() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    return registry;
  }

  /** {@code cilium_operator_ipam_} and {@code mock} give {@code cilium_operator_mock_}. */
  static String cloudPrefix(String prefix, String cloud) {
    String common =
        prefix.endsWith(OWN) ? prefix.substring(0, prefix.length() - OWN.length()) : prefix;
    return common + cloud + "_";
  }

  /** Where the node manager counts. */
  public IpamMetrics ipam() {
    return parts.ipam;
  }

  /** Where the cloud door counts. */
  public CloudApiMetrics cloud() {
    return parts.cloud;
  }

  /** Where all else counts. */
  public Meters meters() {
    return parts.meters;
  }

  /**
   * From now on the age of each watch of objects is measured.
   *
   * @param ages the present ones by the kind of objects, from any thread at any time
   */
  public void watches(Supplier<Map<String, Duration>> ages) {
    Meters.Series shown = parts.meters.series(Metric.WATCH_AGE);
    parts.meters.beforeScrape(
        () -> {
          Map<List<String>, Number> now = new HashMap<>();
          ages.get()
              .forEach(
                  (kind, age) ->
                      now.put(List.of(kind.toLowerCase(Locale.ROOT)), age.toMillis() / MILLIS));
          shown.show(now);
        });
  }

  /** All metrics; empty when they are off. */
  Optional<String> scrape() {
    parts.meters.refresh();
    return registry.map(PrometheusMeterRegistry::scrape);
  }

  @Override
  public void close() {
    registry.ifPresent(PrometheusMeterRegistry::close);
  }
}
