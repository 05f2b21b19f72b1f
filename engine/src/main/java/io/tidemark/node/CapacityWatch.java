package io.tidemark.node;

import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people and metrics when a kubelet takes more pods than its node can give addresses to: once
 * per change of either number. Confined to the node's lane, but for {@link #isCurrent}.
 */
final class CapacityWatch {
  private static final Logger LOG = LoggerFactory.getLogger(CapacityWatch.class);

  private final String node;
  private final NodeManagerPorts ports;
  private final boolean silent;
  private volatile PodCapacity told = PodCapacity.UNKNOWN;

  /**
   * Of one node.
   *
   * @param silent in the profile of the reference, which compares nothing (13 D-21)
   */
  CapacityWatch(String node, NodeManagerPorts ports, boolean silent) {
    this.node = node;
    this.ports = ports;
    this.silent = silent;
  }

  /** How many pods the kubelet takes; empty when not known, or not asked for. */
  OptionalInt maxPods() {
    return silent ? OptionalInt.empty() : ports.kubelets().maxPods(node);
  }

  /** Whether the kubelet says what it said when the node was last looked at; any thread. */
  boolean isCurrent() {
    return told.maxPods().equals(maxPods());
  }

  /** The node was looked at. */
  void look(NodeSnapshot now) {
    PodCapacity capacity = PodCapacity.of(now);
    PodCapacity before = told;
    if (capacity.equals(before) || (capacity.maxPods().isEmpty() && before.maxPods().isEmpty())) {
      return;
    }
    told = capacity;
    ports.metrics().podCapacity(node, capacity.addresses(), capacity.maxPods());
    if (capacity.promisedInVain() > 0) {
      LOG.warn(
          "The kubelet takes more pods than the node can give addresses to. node={} max-pods={}"
              + " addresses={} remedy={}",
          node,
          capacity.maxPods().orElse(0),
          capacity.addresses(),
          capacity.advice());
    }
  }
}
