package io.tidemark.node;

import io.tidemark.metrics.Meters;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The gauges of all nodes, which come and go with them (node-manager 7). Thread-safe. */
final class NodeMeters {
  private final Meters meters;
  private final Map<String, NodeGauges> nodes = new ConcurrentHashMap<>();

  NodeMeters(Meters meters) {
    this.meters = meters;
  }

  /** Where nothing is counted, all nodes share one. */
  private NodeGauges of(String node) {
    return nodes.computeIfAbsent(meters.isNone() ? "" : node, name -> new NodeGauges(meters, name));
  }

  void numbers(String node, NodeStatistics now) {
    of(node).setNumbers(now);
  }

  /** Series of pods exist while the kubelet's number is known. */
  void podCapacity(String node, PodCapacity now) {
    of(node).setPods(now);
  }

  /**
   * Whether another program writes the node's pool.
   *
   * @param manager its field manager, {@code unknown} if the API server does not record it; empty
   *     if there is none, which removes the series
   */
  void secondOwner(String node, Optional<String> manager) {
    of(node).setSecondOwner(manager);
  }

  /** Addresses that pods hold and the cloud does not; the series exists while there are some. */
  void usedAddressesGone(String node, long count) {
    of(node).setUsedGone(count);
  }

  /** Addresses that its agent leaves alone; the series exists while there are some. */
  void offeredNotTaken(String node, long count) {
    of(node).setNotTaken(count);
  }

  /** All its series are removed. */
  void gone(String node) {
    NodeGauges gone = nodes.remove(node);
    if (gone != null) {
      gone.remove();
    }
  }
}
