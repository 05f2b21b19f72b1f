package io.tidemark.cluster;

/**
 * Which nodes accept no new pods and therefore keep no spare addresses: cordoned and terminating
 * ones. Nodes whose own resource is being deleted count without a query here. Queried in each turn
 * of a node; thread-safe; never blocks.
 *
 * <p>Such a node still gets what its pool needs for an agent to start (node-manager 1.5), its
 * min-allocate, and an address for each waiting pod; no address is released because of it. It
 * applies only if waiting pods are counted, and not to multi-pool agents, which state their own
 * demand.
 */
@FunctionalInterface
public interface ClosedNodes {
  /** All nodes are treated alike. */
  ClosedNodes NONE = node -> false;

  /** Whether the Kubernetes Node of that name accepts no new pods; false when it is not known. */
  boolean isClosed(String node);
}
