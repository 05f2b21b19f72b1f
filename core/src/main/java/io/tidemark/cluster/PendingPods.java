package io.tidemark.cluster;

import java.util.OptionalInt;

/** Pods that wait for an address, by node (node-manager 2.4). Thread-safe; never blocks. */
@FunctionalInterface
public interface PendingPods {
  /** Nobody counts pods: no surge. */
  PendingPods UNKNOWN = node -> OptionalInt.empty();

  /**
   * Pods of {@code node} in phase Pending, those on the host's network left out; empty when they
   * cannot be counted now.
   */
  OptionalInt onNode(String node);
}
