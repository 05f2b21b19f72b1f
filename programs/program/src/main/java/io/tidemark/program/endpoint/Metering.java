package io.tidemark.program.endpoint;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.Metric.Prefix;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The metrics of a running program, in the form Prometheus reads; or none. Thread-safe. */
public final class Metering implements AutoCloseable {
  /** Media type of {@link #scrape}. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String OWN = "ipam_";
  private static final double MILLIS = 1000.0;

  private final Optional<PrometheusMeterRegistry> registry;
  private final Meters meters;

  private Metering(Optional<PrometheusMeterRegistry> registry, Meters meters) {
    this.registry = registry;
    this.meters = meters;
  }

  private static Metering of(boolean enabled, Function<PrometheusMeterRegistry, Meters> meters) {
    if (!enabled) {
      return new Metering(Optional.empty(), Meters.none());
    }
    PrometheusMeterRegistry registry = ofProcess();
    return new Metering(Optional.of(registry), meters.apply(registry));
  }

  /**
   * Those of an operator.
   *
   * @param cloud the cloud's word in the names of metrics
   */
  public static Metering of(MetricsConfig config, String cloud) {
    return of(
        config.enabled(),
        registry -> new Meters(registry, config.prefix(), cloudPrefix(config.prefix(), cloud)));
  }

  /**
   * Those of a system whose own names have fixed prefixes.
   *
   * @param cloud of the cloud that nodes follow, its word in the names of metrics
   */
  public static Metering of(MetricsConfig config, Optional<String> cloud) {
    return of(
        config.enabled(),
        registry ->
            new Meters(
                registry,
                Prefix.IPAM.text(),
                cloud.map(word -> cloudPrefix(config.prefix(), word)).orElse(Prefix.CLOUD.text())));
  }

  /** Those of the program of a node. */
  public static Metering ofNode(boolean enabled) {
    return of(enabled, Meters::new);
  }

  /** None at all. */
  public static Metering off() {
    return ofNode(false);
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

  /** Where the parts of the program count. */
  public Meters meters() {
    return meters;
  }

  /**
   * From now on the age of each watch of objects is measured.
   *
   * @param ages the present ones by the kind of objects, from any thread at any time
   */
  public void watches(Supplier<Map<String, Duration>> ages) {
    Meters.Series series = meters.series(Metric.WATCH_AGE);
    meters.beforeScrape(
        () -> {
          Map<List<String>, Number> now = new HashMap<>();
          ages.get()
              .forEach(
                  (kind, age) ->
                      now.put(List.of(kind.toLowerCase(Locale.ROOT)), age.toMillis() / MILLIS));
          series.show(now);
        });
  }

  /** All metrics; empty when they are off. */
  Optional<String> scrape() {
    meters.refresh();
    return registry.map(PrometheusMeterRegistry::scrape);
  }

  @Override
  public void close() {
    registry.ifPresent(PrometheusMeterRegistry::close);
  }
}
