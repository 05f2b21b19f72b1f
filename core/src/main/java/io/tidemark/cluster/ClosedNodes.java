package io.tidemark.cluster;

/**
 * Which nodes take no new pods and therefore keep no spare addresses: cordoned ones and those about
 * to go. Those whose own resource is being deleted count without being asked for here. Asked at
 * each look at a node; thread-safe; never blocks.
 *
 * <p>Such a node still gets what its pool needs for an agent to start (node-manager 1.5), its
 * min-allocate, and an address for each pod that waits; nothing is taken from it. It counts only
 * where waiting pods are counted, and not for multi-pool agents, whose demand is their own.
 */
@FunctionalInterface
public interface ClosedNodes {
  /** All nodes are treated alike. */
  ClosedNodes NONE = node -> false;

  /** Whether no new pods come to the Kubernetes Node of that name; false when it is not known. */
  boolean isClosed(String node);
}
