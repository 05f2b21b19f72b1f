package io.tidemark.program.endpoint;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.metrics.AllocatorMetrics;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.metrics.IpamMetrics;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.MicrometerAllocatorMetrics;
import io.tidemark.metrics.MicrometerCloudApiMetrics;
import io.tidemark.metrics.MicrometerIpamMetrics;
import io.tidemark.metrics.MicrometerNodeCidrMetrics;
import io.tidemark.metrics.MicrometerNodeIdMetrics;
import io.tidemark.metrics.MicrometerWatchMetrics;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.metrics.NodeCidrMetrics;
import io.tidemark.metrics.NodeIdMetrics;
import java.time.Duration;
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

  private final Optional<PrometheusMeterRegistry> registry;
  private final Parts parts;

  /** The registry and its meters; nothing unless it is set. Not changed after the construction. */
  private static final class Parts {
    private IpamMetrics ipam = NoMetrics.IPAM;
    private CloudApiMetrics cloud = NoMetrics.CLOUD;
    private AllocatorMetrics allocators = NoMetrics.ALLOCATOR;
    private Meters meters = Meters.none();
    private Optional<MicrometerNodeCidrMetrics> nodeCidrs = Optional.empty();
    private NodeIdMetrics nodeIds = NoMetrics.NODE_ID;
    private Optional<MicrometerWatchMetrics> watches = Optional.empty();
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
    parts.watches = Optional.of(new MicrometerWatchMetrics(registry));
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
          parts.ipam = new MicrometerIpamMetrics(registry, config.prefix());
          parts.cloud =
              new MicrometerCloudApiMetrics(registry, cloudPrefix(config.prefix(), cloud));
        });
  }

  /** Those of the program of a node. */
  public static Metering ofNode(boolean enabled) {
    return of(
        enabled,
        (parts, registry) -> {
          parts.allocators = new MicrometerAllocatorMetrics(registry);
          parts.meters = new Meters(registry);
        });
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
          parts.nodeCidrs = Optional.of(new MicrometerNodeCidrMetrics(registry));
          cloud.ifPresent(
              word ->
                  parts.cloud =
                      new MicrometerCloudApiMetrics(registry, cloudPrefix(config.prefix(), word)));
        });
  }

  /** Those of the assignment of ids to nodes. */
  public static Metering ofNodeIds(boolean enabled) {
    return of(enabled, (parts, registry) -> parts.nodeIds = new MicrometerNodeIdMetrics(registry));
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

  /** Where the allocators of a node count. */
  public AllocatorMetrics allocators() {
    return parts.allocators;
  }

  /** Where the assignment of pod CIDRs counts. */
  public NodeCidrMetrics nodeCidrs() {
    return parts.nodeCidrs.<NodeCidrMetrics>map(each -> each).orElse(NoMetrics.NODE_CIDR);
  }

  /** Where the assignment of ids counts. */
  public NodeIdMetrics nodeIds() {
    return parts.nodeIds;
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
    parts.watches.ifPresent(each -> each.watches(ages));
  }

  /** All metrics; empty when they are off. */
  Optional<String> scrape() {
    parts.meters.refresh();
    parts.watches.ifPresent(MicrometerWatchMetrics::refresh);
    parts.nodeCidrs.ifPresent(MicrometerNodeCidrMetrics::refresh);
    return registry.map(PrometheusMeterRegistry::scrape);
  }

  @Override
  public void close() {
    registry.ifPresent(PrometheusMeterRegistry::close);
  }
}
