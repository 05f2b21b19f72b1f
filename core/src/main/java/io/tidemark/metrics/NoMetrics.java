package io.tidemark.metrics;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Counts nothing; for when metrics are off. Thread-safe. */
public final class NoMetrics
    implements IpamMetrics, CloudApiMetrics, TriggerMetrics, InterfaceMetrics {
  /** Instead of the node manager's metrics. */
  public static final IpamMetrics IPAM = new NoMetrics();

  /** Instead of the cloud door's metrics. */
  public static final CloudApiMetrics CLOUD = new NoMetrics();

  /** Instead of a provider's own metrics. */
  public static final InterfaceMetrics INTERFACES = new NoMetrics();

  /** Instead of a trigger's metrics. */
  public static final TriggerMetrics TRIGGER = new NoMetrics();

  private NoMetrics() {}

  @Override
  public void allocationAttempt(String type, String status, String subnetId, Duration took) {}

  @Override
  public void releaseAttempt(String type, String status, String subnetId, Duration took) {}

  @Override
  public void interfaceCreated(String subnetId) {}

  @Override
  public void addressesAllocated(String subnetId, long count) {}

  @Override
  public void addressesReleased(String subnetId, long count) {}

  @Override
  public void allocatedIps(String type, long count) {}

  @Override
  public void availableInterfaces(long count) {}

  @Override
  public void interfaceCandidates(long count) {}

  @Override
  public void emptyInterfaceSlots(long count) {}

  @Override
  public void availableIpsPerSubnet(String subnetId, String availabilityZone, long count) {}

  @Override
  public void subnetGone(String subnetId, String availabilityZone) {}

  @Override
  public void nodes(String category, long count) {}

  @Override
  public void resynced() {}

  @Override
  public void backgroundSync(boolean success, Duration took) {}

  @Override
  public void node(String node, long capacity, long used, long needed, long free) {}

  @Override
  public void podCapacity(String node, long addresses, OptionalInt maxPods) {}

  @Override
  public void secondOwner(String node, Optional<String> manager) {}

  @Override
  public void usedAddressesGone(String node, long count) {}

  @Override
  public void offeredNotTaken(String node, long count) {}

  @Override
  public void nodeGone(String node) {}

  @Override
  public void handshakes(String state, long count) {}

  @Override
  public void handshakeAborted(String reason) {}

  @Override
  public void syncConflict() {}

  @Override
  public void instancesApiReady(boolean ready) {}

  @Override
  public void nodesStuck(String reason, long count) {}

  @Override
  public void oldestDeficit(Duration age) {}

  @Override
  public void cacheAge(Duration age) {}

  @Override
  public TriggerMetrics poolMaintainer() {
    return TRIGGER;
  }

  @Override
  public TriggerMetrics k8sSync() {
    return TRIGGER;
  }

  @Override
  public TriggerMetrics resync() {
    return TRIGGER;
  }

  @Override
  public void attempt(String operation, String responseCode, Duration took) {}

  @Override
  public void rateLimited(String operation, Duration waited) {}

  @Override
  public void retried(String operation) {}

  @Override
  public void heldBack(String effect, boolean held) {}

  @Override
  public void rate(String operation, double callsPerSecond) {}

  @Override
  public void queued() {}

  @Override
  public void ran(Duration duration, Duration latency, int folds) {}

  @Override
  public void fallback(String rung) {}

  @Override
  public void inFlight(String subnetId, long addresses) {}

  @Override
  public void subnetGone(String subnetId) {}

  @Override
  public void countAge(String subnetId, Duration age) {}

  @Override
  public void quarantined(String subnetId, long addresses) {}

  @Override
  public void operation(String operation, OperationEnd end, Duration took) {}

  @Override
  public void staleEtag() {}

  @Override
  public void remainingRequests(String bucket, long count) {}

  @Override
  public void limitsSource(String type, String source) {}

  @Override
  public void leftOver(LeftOver what) {}

  @Override
  public void collection(Collection state) {}
}
