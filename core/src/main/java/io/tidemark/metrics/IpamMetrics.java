package io.tidemark.metrics;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Measurements of the node manager (node-manager 7). Thread-safe; never blocks; labels come from
 * bounded sets, but for node and subnet names, which are removed with their node or subnet.
 */
public interface IpamMetrics {
  /** An allocation was tried. {@code status} is {@code success}, {@code failed} or a condition. */
  void allocationAttempt(String type, String status, String subnetId, Duration took);

  /** A release was tried. */
  void releaseAttempt(String type, String status, String subnetId, Duration took);

  /** An interface was created. */
  void interfaceCreated(String subnetId);

  /** Addresses were added. */
  void addressesAllocated(String subnetId, long count);

  /** Addresses were released. */
  void addressesReleased(String subnetId, long count);

  /** Cluster sum; {@code type} is used, available or needed. */
  void allocatedIps(String type, long count);

  /** Cluster sum of interfaces with room plus empty slots. */
  void availableInterfaces(long count);

  /** Cluster sum of interfaces with room. */
  void interfaceCandidates(long count);

  /** Cluster sum of empty slots. */
  void emptyInterfaceSlots(long count);

  /** Free addresses of a subnet. */
  void availableIpsPerSubnet(String subnetId, String availabilityZone, long count);

  /** The subnet is gone: its label set is removed. */
  void subnetGone(String subnetId, String availabilityZone);

  /** Number of nodes; {@code category} is total, in-deficit or at-capacity. */
  void nodes(String category, long count);

  /** A background pass over all nodes ended. */
  void resynced();

  /** A background refresh ended. */
  void backgroundSync(boolean success, Duration took);

  /** Capacity, used, needed and free addresses of one node. */
  void node(String node, long capacity, long used, long needed, long free);

  /**
   * Pods that a node can supply with addresses, and pods that its kubelet accepts; the series of an
   * unknown value is removed.
   */
  void podCapacity(String node, long addresses, OptionalInt maxPods);

  /**
   * Whether another program writes the node's pool.
   *
   * @param manager its field manager, {@code unknown} if the API server does not record it; empty
   *     if there is none, which removes the series
   */
  void secondOwner(String node, Optional<String> manager);

  /**
   * How many addresses that pods of a node hold are gone from the cloud; at 0 the label set is
   * removed.
   */
  void usedAddressesGone(String node, long count);

  /**
   * How many addresses on offer the multi-pool agent of a node does not take up, although it wants
   * more than it has; at 0 the label set is removed.
   */
  void offeredNotTaken(String node, long count);

  /** The node is gone: its label sets are removed. */
  void nodeGone(String node);

  /** Addresses of all nodes in one state of the release handshake. */
  void handshakes(String state, long count);

  /** A handshake was given up. */
  void handshakeAborted(String reason);

  /** A write met a newer object. */
  void syncConflict();

  /** Whether mutations are allowed. */
  void instancesApiReady(boolean ready);

  /** Blocked nodes, by reason. */
  void nodesStuck(String reason, long count);

  /** Age of the oldest unserved deficit; zero when there is none. */
  void oldestDeficit(Duration age);

  /** Age of the cached cloud inventory. */
  void cacheAge(Duration age);

  /** Trigger of pool maintenance passes. */
  TriggerMetrics poolMaintainer();

  /** Trigger of resource writes. */
  TriggerMetrics k8sSync();

  /** Trigger of instance syncs. */
  TriggerMetrics resync();
}
