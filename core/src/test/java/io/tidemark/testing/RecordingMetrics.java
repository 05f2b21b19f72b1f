package io.tidemark.testing;

import io.tidemark.metrics.IpamMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers what the node manager reported: counts add up, of settings the last one wins.
 * Thread-safe.
 */
public final class RecordingMetrics implements IpamMetrics {
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
  private final Map<String, Long> settings = new ConcurrentHashMap<>();
  private final Map<String, NodeNumbers> nodes = new ConcurrentHashMap<>();
  private final RecordingTriggerMetrics poolMaintainer = new RecordingTriggerMetrics();
  private final RecordingTriggerMetrics k8sSync = new RecordingTriggerMetrics();
  private final RecordingTriggerMetrics resync = new RecordingTriggerMetrics();

  /** The gauges of one node. */
  public record NodeNumbers(long capacity, long used, long needed, long free) {}

  // ---- what was reported

  /** Attempts to allocate of that type and status, in whichever subnet. */
  public long allocationAttempts(String type, String status) {
    return counted("allocation " + type + " " + status);
  }

  /** Attempts to release of that type and status. */
  public long releaseAttempts(String type, String status) {
    return counted("release " + type + " " + status);
  }

  /** Interfaces created in a subnet. */
  public long interfacesCreated(String subnetId) {
    return counted("interfaces " + subnetId);
  }

  /** Addresses allocated in a subnet. */
  public long addressesAllocatedIn(String subnetId) {
    return counted("allocated " + subnetId);
  }

  /** Addresses released in a subnet. */
  public long addressesReleasedIn(String subnetId) {
    return counted("released " + subnetId);
  }

  /** How often all nodes were looked at once more. */
  public long resyncs() {
    return counted("resync");
  }

  /** Full scans with that ending. */
  public long backgroundSyncs(boolean success) {
    return counted("background " + success);
  }

  /** Handshakes given up for that reason. */
  public long handshakesAborted(String reason) {
    return counted("aborted " + reason);
  }

  /** Writes that met a newer object. */
  public long syncConflicts() {
    return counted("conflicts");
  }

  /** Last sum over all nodes; {@code type} is used, available or needed. */
  public OptionalLong ips(String type) {
    return set("ips " + type);
  }

  /** Last number of nodes of a category. */
  public OptionalLong nodesOf(String category) {
    return set("nodes " + category);
  }

  /** Last number of addresses in a state of the handshake. */
  public OptionalLong handshakesIn(String state) {
    return set("handshakes " + state);
  }

  /** Last number of nodes stuck for a reason. */
  public OptionalLong stuck(String reason) {
    return set("stuck " + reason);
  }

  /** Last number of addresses in use on a node that the cloud has taken away. */
  public OptionalLong usedGone(String node) {
    return set("used gone " + node);
  }

  /** Last number of free addresses of a subnet; empty when it is gone. */
  public OptionalLong availableIn(String subnetId, String availabilityZone) {
    return set("subnet " + subnetId + " " + availabilityZone);
  }

  /** Last sum of interfaces with room and empty slots. */
  public OptionalLong interfacesAvailable() {
    return set("available interfaces");
  }

  /** Last sum of interfaces with room. */
  public OptionalLong candidates() {
    return set("interface candidates");
  }

  /** Last sum of empty slots. */
  public OptionalLong emptySlots() {
    return set("empty slots");
  }

  /** Whether changes were last said to be allowed; empty when nothing was said. */
  public Optional<Boolean> instancesApiReady() {
    OptionalLong ready = set("ready");
    return ready.isPresent() ? Optional.of(ready.getAsLong() == 1) : Optional.empty();
  }

  /** Last age of the oldest deficit. */
  public Optional<Duration> oldestDeficit() {
    return age("oldest deficit");
  }

  /** Last age of the inventory. */
  public Optional<Duration> cacheAge() {
    return age("cache age");
  }

  /** The gauges of a node; empty when it is gone. */
  public Optional<NodeNumbers> numbersOf(String node) {
    return Optional.ofNullable(nodes.get(node));
  }

  /** Nodes that have gauges. */
  public Set<String> nodesWithGauges() {
    return new TreeSet<>(nodes.keySet());
  }

  // ---- reporting

  @Override
  public void allocationAttempt(String type, String status, String subnetId, Duration took) {
    count("allocation " + type + " " + status, 1);
  }

  @Override
  public void releaseAttempt(String type, String status, String subnetId, Duration took) {
    count("release " + type + " " + status, 1);
  }

  @Override
  public void interfaceCreated(String subnetId) {
    count("interfaces " + subnetId, 1);
  }

  @Override
  public void addressesAllocated(String subnetId, long count) {
    count("allocated " + subnetId, count);
  }

  @Override
  public void addressesReleased(String subnetId, long count) {
    count("released " + subnetId, count);
  }

  @Override
  public void allocatedIps(String type, long count) {
    settings.put("ips " + type, count);
  }

  @Override
  public void availableInterfaces(long count) {
    settings.put("available interfaces", count);
  }

  @Override
  public void interfaceCandidates(long count) {
    settings.put("interface candidates", count);
  }

  @Override
  public void emptyInterfaceSlots(long count) {
    settings.put("empty slots", count);
  }

  @Override
  public void availableIpsPerSubnet(String subnetId, String availabilityZone, long count) {
    settings.put("subnet " + subnetId + " " + availabilityZone, count);
  }

  @Override
  public void subnetGone(String subnetId, String availabilityZone) {
    settings.remove("subnet " + subnetId + " " + availabilityZone);
  }

  @Override
  public void nodes(String category, long count) {
    settings.put("nodes " + category, count);
  }

  @Override
  public void resynced() {
    count("resync", 1);
  }

  @Override
  public void backgroundSync(boolean success, Duration took) {
    count("background " + success, 1);
  }

  @Override
  public void node(String node, long capacity, long used, long needed, long free) {
    nodes.put(node, new NodeNumbers(capacity, used, needed, free));
  }

  @Override
  public void secondOwner(String node, Optional<String> manager) {
    settings.put("second owner " + node, manager.isPresent() ? 1L : 0L);
  }

  @Override
  public void usedAddressesGone(String node, long count) {
    settings.put("used gone " + node, count);
  }

  @Override
  public void offeredNotTaken(String node, long count) {
    settings.put("used gone " + node, count);
  }

  @Override
  public void podCapacity(String node, long addresses, OptionalInt maxPods) {
    if (maxPods.isPresent()) {
      settings.put("pods " + node, addresses);
      settings.put("max pods " + node, (long) maxPods.getAsInt());
    } else {
      settings.remove("pods " + node);
      settings.remove("max pods " + node);
    }
  }

  @Override
  public void nodeGone(String node) {
    nodes.remove(node);
    podCapacity(node, 0, OptionalInt.empty());
  }

  @Override
  public void handshakes(String state, long count) {
    settings.put("handshakes " + state, count);
  }

  @Override
  public void handshakeAborted(String reason) {
    count("aborted " + reason, 1);
  }

  @Override
  public void syncConflict() {
    count("conflicts", 1);
  }

  @Override
  public void instancesApiReady(boolean ready) {
    settings.put("ready", ready ? 1L : 0L);
  }

  @Override
  public void nodesStuck(String reason, long count) {
    settings.put("stuck " + reason, count);
  }

  @Override
  public void oldestDeficit(Duration age) {
    settings.put("oldest deficit", age.toNanos());
  }

  @Override
  public void cacheAge(Duration age) {
    settings.put("cache age", age.toNanos());
  }

  @Override
  public RecordingTriggerMetrics poolMaintainer() {
    return poolMaintainer;
  }

  @Override
  public RecordingTriggerMetrics k8sSync() {
    return k8sSync;
  }

  @Override
  public RecordingTriggerMetrics resync() {
    return resync;
  }

  private void count(String what, long more) {
    counts.computeIfAbsent(what, name -> new AtomicLong()).addAndGet(more);
  }

  private long counted(String what) {
    AtomicLong count = counts.get(what);
    return count == null ? 0 : count.get();
  }

  private OptionalLong set(String what) {
    Long value = settings.get(what);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private Optional<Duration> age(String what) {
    OptionalLong nanos = set(what);
    return nanos.isPresent() ? Optional.of(Duration.ofNanos(nanos.getAsLong())) : Optional.empty();
  }
}
