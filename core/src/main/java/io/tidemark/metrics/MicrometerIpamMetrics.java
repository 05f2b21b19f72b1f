package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The node manager's metrics in a Micrometer registry, under the names of docs/metrics.md.
 * Thread-safe; a scrape returns the last value of each metric.
 */
public final class MicrometerIpamMetrics implements IpamMetrics {
  /** The reference's prefix, so that dashboards keep working. */
  public static final String DEFAULT_PREFIX = "cilium_operator_ipam_";

  private final Meters meters;
  private final Map<String, NodeGauges> nodes = new ConcurrentHashMap<>();
  private final TriggerMetrics poolMaintainer;
  private final TriggerMetrics k8sSync;
  private final TriggerMetrics resync;

  /** Metrics in {@code registry} whose names begin with {@link #DEFAULT_PREFIX}. */
  public MicrometerIpamMetrics(MeterRegistry registry) {
    this(registry, DEFAULT_PREFIX);
  }

  /** Metrics in {@code registry} whose names begin with {@code prefix}, its last underscore too. */
  public MicrometerIpamMetrics(MeterRegistry registry, String prefix) {
    this.meters = new Meters(registry, prefix, prefix);
    this.poolMaintainer =
        new MicrometerTriggerMetrics(meters.trigger(Metric.Prefix.IPAM, "deficit_resolver"));
    this.k8sSync = new MicrometerTriggerMetrics(meters.trigger(Metric.Prefix.IPAM, "k8s_sync"));
    this.resync = new MicrometerTriggerMetrics(meters.trigger(Metric.Prefix.IPAM, "resync"));
  }

  @Override
  public void allocationAttempt(String type, String status, String subnetId, Duration took) {
    meters.record(Metric.ALLOCATION_DURATION, took, type, status, subnetId);
  }

  @Override
  public void releaseAttempt(String type, String status, String subnetId, Duration took) {
    meters.record(Metric.RELEASE_DURATION, took, type, status, subnetId);
  }

  @Override
  public void interfaceCreated(String subnetId) {
    meters.gauge(Metric.INTERFACE_CREATION_OPS, subnetId).add(1);
  }

  @Override
  public void addressesAllocated(String subnetId, long count) {
    meters.gauge(Metric.IP_ALLOCATION_OPS, subnetId).add(count);
  }

  @Override
  public void addressesReleased(String subnetId, long count) {
    meters.gauge(Metric.IP_RELEASE_OPS, subnetId).add(count);
  }

  @Override
  public void allocatedIps(String type, long count) {
    meters.gauge(Metric.IPS, type).set(count);
  }

  @Override
  public void availableInterfaces(long count) {
    meters.gauge(Metric.AVAILABLE_INTERFACES).set(count);
  }

  @Override
  public void interfaceCandidates(long count) {
    meters.gauge(Metric.INTERFACE_CANDIDATES).set(count);
  }

  @Override
  public void emptyInterfaceSlots(long count) {
    meters.gauge(Metric.EMPTY_INTERFACE_SLOTS).set(count);
  }

  @Override
  public void availableIpsPerSubnet(String subnetId, String availabilityZone, long count) {
    meters.gauge(Metric.AVAILABLE_IPS_PER_SUBNET, subnetId, availabilityZone).set(count);
  }

  @Override
  public void subnetGone(String subnetId, String availabilityZone) {
    meters.removeLabelled("subnet_id", subnetId);
  }

  @Override
  public void nodes(String category, long count) {
    meters.gauge(Metric.NODES, category).set(count);
  }

  @Override
  public void resynced() {
    meters.count(Metric.RESYNC_TOTAL);
  }

  @Override
  public void backgroundSync(boolean success, Duration took) {
    meters.record(Metric.BACKGROUND_SYNC_DURATION, took, success ? "success" : "failed");
  }

  @Override
  public void node(String node, long capacity, long used, long needed, long free) {
    nodes
        .computeIfAbsent(node, name -> new NodeGauges(meters, name))
        .set(capacity, used, needed, free);
  }

  @Override
  public void podCapacity(String node, long addresses, OptionalInt maxPods) {
    nodes.computeIfAbsent(node, name -> new NodeGauges(meters, name)).setPods(addresses, maxPods);
  }

  @Override
  public void secondOwner(String node, Optional<String> manager) {
    nodes.computeIfAbsent(node, name -> new NodeGauges(meters, name)).setSecondOwner(manager);
  }

  @Override
  public void usedAddressesGone(String node, long count) {
    nodes.computeIfAbsent(node, name -> new NodeGauges(meters, name)).setUsedGone(count);
  }

  @Override
  public void offeredNotTaken(String node, long count) {
    nodes.computeIfAbsent(node, name -> new NodeGauges(meters, name)).setNotTaken(count);
  }

  @Override
  public void nodeGone(String node) {
    NodeGauges gone = nodes.remove(node);
    if (gone != null) {
      gone.remove();
    }
  }

  @Override
  public void handshakes(String state, long count) {
    meters.gauge(Metric.RELEASE_HANDSHAKE, state).set(count);
  }

  @Override
  public void handshakeAborted(String reason) {
    meters.count(Metric.HANDSHAKE_ABORTED, reason);
  }

  @Override
  public void syncConflict() {
    meters.count(Metric.SYNC_CONFLICTS);
  }

  @Override
  public void instancesApiReady(boolean ready) {
    meters.gauge(Metric.INSTANCES_API_READY).set(ready ? 1 : 0);
  }

  @Override
  public void nodesStuck(String reason, long count) {
    meters.gauge(Metric.NODES_STUCK, reason).set(count);
  }

  @Override
  public void oldestDeficit(Duration age) {
    meters.gauge(Metric.OLDEST_DEFICIT).set(age);
  }

  @Override
  public void cacheAge(Duration age) {
    meters.gauge(Metric.CACHE_AGE).set(age);
  }

  @Override
  public TriggerMetrics poolMaintainer() {
    return poolMaintainer;
  }

  @Override
  public TriggerMetrics k8sSync() {
    return k8sSync;
  }

  @Override
  public TriggerMetrics resync() {
    return resync;
  }
}
