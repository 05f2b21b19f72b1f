package io.tidemark.program.endpoint;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.metrics.AllocatorMetrics;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.metrics.CniMetrics;
import io.tidemark.metrics.DatastoreMetrics;
import io.tidemark.metrics.IpamMetrics;
import io.tidemark.metrics.MicrometerAllocatorMetrics;
import io.tidemark.metrics.MicrometerCloudApiMetrics;
import io.tidemark.metrics.MicrometerCniMetrics;
import io.tidemark.metrics.MicrometerDatastoreMetrics;
import io.tidemark.metrics.MicrometerIpamMetrics;
import io.tidemark.metrics.MicrometerNodeCidrMetrics;
import io.tidemark.metrics.MicrometerRpcMetrics;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.metrics.NodeCidrMetrics;
import io.tidemark.metrics.RpcMetrics;
import java.util.Optional;

/**
 * The metrics of a running program, in the text form that Prometheus reads; or none. Thread-safe.
 */
public final class Metering implements AutoCloseable {
  /** Media type of {@link #scrape}. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String OWN = "ipam_";

  private final Optional<PrometheusMeterRegistry> registry;
  private final IpamMetrics ipam;
  private final CloudApiMetrics cloud;
  private final AllocatorMetrics allocators;
  private final CniMetrics cni;
  private final Optional<MicrometerDatastoreMetrics> stores;
  private final RpcMetrics rpc;
  private final Optional<MicrometerNodeCidrMetrics> nodeCidrs;

  private Metering(
      Optional<PrometheusMeterRegistry> registry,
      IpamMetrics ipam,
      CloudApiMetrics cloud,
      AllocatorMetrics allocators,
      CniMetrics cni,
      Optional<MicrometerDatastoreMetrics> stores,
      RpcMetrics rpc,
      Optional<MicrometerNodeCidrMetrics> nodeCidrs) {
    this.registry = registry;
    this.ipam = ipam;
    this.cloud = cloud;
    this.allocators = allocators;
    this.cni = cni;
    this.stores = stores;
    this.rpc = rpc;
    this.nodeCidrs = nodeCidrs;
  }

  /**
   * Those of an operator.
   *
   * @param cloud the cloud's word in the names of metrics
   */
  public static Metering of(MetricsConfig config, String cloud) {
    if (!config.enabled()) {
      return off();
    }
    PrometheusMeterRegistry registry = ofProcess();
    return new Metering(
        Optional.of(registry),
        new MicrometerIpamMetrics(registry, config.prefix()),
        new MicrometerCloudApiMetrics(registry, cloudPrefix(config.prefix(), cloud)),
        NoMetrics.ALLOCATOR,
        NoMetrics.CNI,
        Optional.empty(),
        NoMetrics.RPC,
        Optional.empty());
  }

  /** Those of the program of a node. */
  public static Metering ofNode(boolean enabled) {
    if (!enabled) {
      return off();
    }
    PrometheusMeterRegistry registry = ofProcess();
    return new Metering(
        Optional.of(registry),
        NoMetrics.IPAM,
        NoMetrics.CLOUD,
        new MicrometerAllocatorMetrics(registry),
        new MicrometerCniMetrics(registry),
        Optional.empty(),
        NoMetrics.RPC,
        Optional.empty());
  }

  /** Those of the stores of a node's network cards and of the calls that they answer. */
  public static Metering ofStores(boolean enabled) {
    if (!enabled) {
      return off();
    }
    PrometheusMeterRegistry registry = ofProcess();
    return new Metering(
        Optional.of(registry),
        NoMetrics.IPAM,
        NoMetrics.CLOUD,
        NoMetrics.ALLOCATOR,
        NoMetrics.CNI,
        Optional.of(new MicrometerDatastoreMetrics(registry)),
        new MicrometerRpcMetrics(registry),
        Optional.empty());
  }

  /** Those of the assignment of pod CIDRs to nodes. */
  public static Metering ofNodeCidrs(boolean enabled) {
    if (!enabled) {
      return off();
    }
    PrometheusMeterRegistry registry = ofProcess();
    return new Metering(
        Optional.of(registry),
        NoMetrics.IPAM,
        NoMetrics.CLOUD,
        NoMetrics.ALLOCATOR,
        NoMetrics.CNI,
        Optional.empty(),
        NoMetrics.RPC,
        Optional.of(new MicrometerNodeCidrMetrics(registry)));
  }

  /** None at all. */
  public static Metering off() {
    return new Metering(
        Optional.empty(),
        NoMetrics.IPAM,
        NoMetrics.CLOUD,
        NoMetrics.ALLOCATOR,
        NoMetrics.CNI,
        Optional.empty(),
        NoMetrics.RPC,
        Optional.empty());
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
    return ipam;
  }

  /** Where the cloud door counts. */
  public CloudApiMetrics cloud() {
    return cloud;
  }

  /** Where the allocators of a node count. */
  public AllocatorMetrics allocators() {
    return allocators;
  }

  /** Where the assignment of pod CIDRs counts. */
  public NodeCidrMetrics nodeCidrs() {
    return nodeCidrs.<NodeCidrMetrics>map(each -> each).orElse(NoMetrics.NODE_CIDR);
  }

  /** Where the answers to CNI plugins count. */
  public CniMetrics cni() {
    return cni;
  }

  /** Where the stores of a node's network cards count. */
  public DatastoreMetrics stores() {
    return stores.<DatastoreMetrics>map(each -> each).orElse(NoMetrics.DATASTORE);
  }

  /** Where the calls of the AWS VPC CNI's plugin count. */
  public RpcMetrics rpc() {
    return rpc;
  }

  /** All metrics; empty when they are off. */
  Optional<String> scrape() {
    stores.ifPresent(MicrometerDatastoreMetrics::refresh);
    nodeCidrs.ifPresent(MicrometerNodeCidrMetrics::refresh);
    return registry.map(PrometheusMeterRegistry::scrape);
  }

  @Override
  public void close() {
    registry.ifPresent(PrometheusMeterRegistry::close);
  }
}
