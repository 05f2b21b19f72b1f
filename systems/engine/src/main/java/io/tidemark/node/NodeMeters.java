package io.tidemark.node;

import io.micrometer.core.instrument.Meter;
import io.tidemark.metrics.GaugeValue;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.node.NodeStatistics.PodCapacity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The gauges of all nodes, which come and go with them (node-manager 7). Thread-safe. */
final class NodeMeters {
  private final Meters meters;
  private final Map<String, Map<Metric, Shown>> nodes = new ConcurrentHashMap<>();

  private record Shown(GaugeValue value, Meter meter) {}

  NodeMeters(Meters meters) {
    this.meters = meters;
  }

  void numbers(String node, NodeStatistics now) {
    show(node, Metric.AVAILABLE_IPS, true, now.capacity(), node);
    show(node, Metric.USED_IPS, true, now.used(), node);
    show(node, Metric.NEEDED_IPS, true, now.needed(), node);
    show(node, Metric.NODE_SPARE_IPS, true, now.available() - now.used(), node);
  }

  /** Series of pods exist while the kubelet's number is known. */
  void podCapacity(String node, PodCapacity now) {
    boolean known = now.maxPods().isPresent();
    show(node, Metric.NODE_POD_CAPACITY, known, now.addresses(), node);
    show(node, Metric.NODE_MAX_PODS, known, now.maxPods().orElse(0), node);
  }

  /**
   * Whether another program writes the node's pool.
   *
   * @param manager its field manager, {@code unknown} if the API server does not record it; empty
   *     if there is none, which removes the series
   */
  void secondOwner(String node, Optional<String> manager) {
    show(node, Metric.SECOND_OWNER, false, 0);
    manager.ifPresent(name -> show(node, Metric.SECOND_OWNER, true, 1, node, name));
  }

  /** Addresses that pods hold and the cloud does not; the series exists while there are some. */
  void usedAddressesGone(String node, long count) {
    show(node, Metric.USED_IPS_GONE, count != 0, count, node);
  }

  /** Addresses that its agent leaves alone; the series exists while there are some. */
  void offeredNotTaken(String node, long count) {
    show(node, Metric.OFFERED_NOT_TAKEN_IPS, count != 0, count, node);
  }

  void gone(String node) {
    Map<Metric, Shown> gone = nodes.remove(node);
    if (gone != null) {
      synchronized (gone) {
        gone.values().forEach(each -> meters.remove(each.meter()));
      }
    }
  }

  private void show(String node, Metric metric, boolean exists, long number, String... labels) {
    // Where nothing is counted, all nodes share one.
    Map<Metric, Shown> shown =
        nodes.computeIfAbsent(meters.isNone() ? "" : node, any -> new HashMap<>());
    synchronized (shown) {
      if (exists) {
        shown.computeIfAbsent(metric, added -> shown(added, labels)).value().set(number);
      } else {
        Shown gone = shown.remove(metric);
        if (gone != null) {
          meters.remove(gone.meter());
        }
      }
    }
  }

  private Shown shown(Metric metric, String... labels) {
    GaugeValue value = new GaugeValue();
    return new Shown(value, meters.register(metric, value, Meters.labels(metric, labels)));
  }
}
