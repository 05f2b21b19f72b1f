package io.tidemark.cluster;

import java.util.OptionalInt;
import java.util.Set;

/** Pods that wait for an address, by node (node-manager 2.4). Thread-safe; never blocks. */
@FunctionalInterface
public interface PendingPods {
  /** Pods are not counted: no surge. */
  PendingPods UNKNOWN = node -> OptionalInt.empty();

  /** Pods of {@code node} in phase Pending, without those on its network; empty when unknown. */
  OptionalInt onNode(String node);

  /**
   * Those of them whose status has no address, as {@code namespace/name}; none when unknown.
   * Immutable. A kubelet may tell of an address only when the images are there.
   */
  default Set<String> unaddressed(String node) {
    return Set.of();
  }
}
