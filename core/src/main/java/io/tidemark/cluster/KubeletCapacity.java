package io.tidemark.cluster;

import java.util.OptionalInt;

/**
 * How many pods the kubelet of each node takes, by which the scheduler goes. Asked at each look at
 * a node and compared with the addresses that the node can ever hold; decides nothing. Thread-safe;
 * never blocks.
 */
@FunctionalInterface
public interface KubeletCapacity {
  /** Nobody knows any kubelet: nothing is compared. */
  KubeletCapacity UNKNOWN = node -> OptionalInt.empty();

  /**
   * {@code status.allocatable.pods} of the Kubernetes Node of that name, pods on the host's network
   * included; empty when there is no such Node or it is not known now.
   */
  OptionalInt maxPods(String node);
}
