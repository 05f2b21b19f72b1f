package io.tidemark.node;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.tidemark.metrics.GaugeValue;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.node.NodeStatistics.PodCapacity;
import java.util.HashMap;
import java.util.List;
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
    return nodes.computeIfAbsent(meters.isNone() ? "" : node, NodeGauges::new);
  }

  void numbers(String node, NodeStatistics now) {
    NodeGauges gauges = of(node);
    gauges.capacity.set(now.capacity());
    gauges.used.set(now.used());
    gauges.needed.set(now.needed());
    gauges.spare.set(now.available() - now.used());
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
    of(node).setUnlessZero(Metric.USED_IPS_GONE, count);
  }

  /** Addresses that its agent leaves alone; the series exists while there are some. */
  void offeredNotTaken(String node, long count) {
    of(node).setUnlessZero(Metric.OFFERED_NOT_TAKEN_IPS, count);
  }

  void gone(String node) {
    NodeGauges gone = nodes.remove(node);
    if (gone != null) {
      gone.remove();
    }
  }

  private final class NodeGauges {
    private final GaugeValue capacity = new GaugeValue();
    private final GaugeValue used = new GaugeValue();
    private final GaugeValue needed = new GaugeValue();
    private final GaugeValue spare = new GaugeValue();
    private final String node;
    private final Tags labels;
    private final List<Meter> lasting;

    /** Those that do not exist all the time. */
    private final Map<Metric, Passing> passing = new HashMap<>();

    private record Passing(GaugeValue value, Meter meter) {}

    NodeGauges(String node) {
      this.node = node;
      this.labels = Meters.labels(Metric.AVAILABLE_IPS, node);
      this.lasting =
          List.of(
              meters.register(Metric.AVAILABLE_IPS, capacity, labels),
              meters.register(Metric.USED_IPS, used, labels),
              meters.register(Metric.NEEDED_IPS, needed, labels),
              meters.register(Metric.NODE_SPARE_IPS, spare, labels));
    }

    synchronized void setPods(PodCapacity now) {
      boolean known = now.maxPods().isPresent();
      show(Metric.NODE_POD_CAPACITY, known, now.addresses(), labels);
      show(Metric.NODE_MAX_PODS, known, now.maxPods().orElse(0), labels);
    }

    synchronized void setSecondOwner(Optional<String> manager) {
      show(Metric.SECOND_OWNER, false, 0, labels);
      manager.ifPresent(
          name ->
              show(Metric.SECOND_OWNER, true, 1, Meters.labels(Metric.SECOND_OWNER, node, name)));
    }

    synchronized void setUnlessZero(Metric metric, long count) {
      show(metric, count != 0, count, labels);
    }

    private void show(Metric metric, boolean exists, long number, Tags itsLabels) {
      if (exists) {
        passing.computeIfAbsent(metric, added -> passing(added, itsLabels)).value().set(number);
      } else {
        Passing gone = passing.remove(metric);
        if (gone != null) {
          meters.remove(gone.meter());
        }
      }
    }

    private Passing passing(Metric metric, Tags itsLabels) {
      GaugeValue value = new GaugeValue();
      return new Passing(value, meters.register(metric, value, itsLabels));
    }

    synchronized void remove() {
      lasting.forEach(meters::remove);
      passing.values().forEach(each -> meters.remove(each.meter()));
      passing.clear();
    }
  }
}
