package io.tidemark.node;

import io.micrometer.core.instrument.Meter;
import io.tidemark.metrics.GaugeValue;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.node.NodeStatistics.PodCapacity;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
    show(node, Metric.AVAILABLE_IPS, now.capacity(), node);
    show(node, Metric.USED_IPS, now.used(), node);
    show(node, Metric.NEEDED_IPS, now.needed(), node);
    show(node, Metric.NODE_SPARE_IPS, now.available() - now.used(), node);
  }

  /** The series exists where spare addresses follow demand. */
  void spareTarget(String node, OptionalLong target) {
    showIf(target.isPresent(), node, Metric.SPARE_TARGET, target.orElse(0));
  }

  /** Series of pods exist while the kubelet's number is known. */
  void podCapacity(String node, PodCapacity now) {
    boolean known = now.maxPods().isPresent();
    showIf(known, node, Metric.NODE_POD_CAPACITY, now.addresses());
    showIf(known, node, Metric.NODE_MAX_PODS, now.maxPods().orElse(0));
  }

  /**
   * Whether another program writes the node's pool.
   *
   * @param manager its field manager, {@code unknown} if the API server does not record it; empty
   *     if there is none, which removes the series
   */
  void secondOwner(String node, Optional<String> manager) {
    hide(node, Metric.SECOND_OWNER);
    manager.ifPresent(name -> show(node, Metric.SECOND_OWNER, 1, node, name));
  }

  /** Addresses that pods hold and the cloud does not; the series exists while there are some. */
  void usedAddressesGone(String node, long count) {
    showIf(count != 0, node, Metric.USED_IPS_GONE, count);
  }

  /** Addresses that its agent leaves alone; the series exists while there are some. */
  void offeredNotTaken(String node, long count) {
    showIf(count != 0, node, Metric.OFFERED_NOT_TAKEN_IPS, count);
  }

  void gone(String node) {
    Map<Metric, Shown> gone = nodes.remove(node);
    if (gone != null) {
      synchronized (gone) {
        gone.values().forEach(each -> meters.remove(each.meter()));
      }
    }
  }

  private void showIf(boolean exists, String node, Metric metric, long number) {
    if (exists) {
      show(node, metric, number, node);
    } else {
      hide(node, metric);
    }
  }

  private void show(String node, Metric metric, long number, String... labels) {
    Map<Metric, Shown> shown = of(node);
    synchronized (shown) {
      shown.computeIfAbsent(metric, added -> shown(added, labels)).value().set(number);
    }
  }

  private void hide(String node, Metric metric) {
    Map<Metric, Shown> shown = of(node);
    synchronized (shown) {
      Shown gone = shown.remove(metric);
      if (gone != null) {
        meters.remove(gone.meter());
      }
    }
  }

  /** Where nothing is counted, all nodes share one. */
  private Map<Metric, Shown> of(String node) {
    return nodes.computeIfAbsent(meters.isNone() ? "" : node, any -> new EnumMap<>(Metric.class));
  }

  private Shown shown(Metric metric, String... labels) {
    GaugeValue value = new GaugeValue();
    return new Shown(value, meters.register(metric, value, Meters.labels(metric, labels)));
  }
}
