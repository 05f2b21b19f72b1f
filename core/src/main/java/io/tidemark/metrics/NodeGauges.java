package io.tidemark.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The gauges of one node, which come and go with it. */
final class NodeGauges {
  private final GaugeValue capacity = new GaugeValue();
  private final GaugeValue used = new GaugeValue();
  private final GaugeValue needed = new GaugeValue();
  private final GaugeValue free = new GaugeValue();
  private final GaugeValue capacityForPods = new GaugeValue();
  private final GaugeValue maxPods = new GaugeValue();
  private final GaugeValue usedGone = new GaugeValue();
  private final GaugeValue notTaken = new GaugeValue();
  private final List<Meter> meters = new ArrayList<>(4);
  private final List<Meter> podMeters = new ArrayList<>(0);
  private final List<Meter> ownerMeters = new ArrayList<>(0);
  private final List<Meter> goneMeters = new ArrayList<>(0);
  private final List<Meter> notTakenMeters = new ArrayList<>(0);
  private final Meters registry;
  private final String node;
  private final Tags labels;

  NodeGauges(Meters registry, String node) {
    this.registry = registry;
    this.node = node;
    this.labels = Meters.labels(Metric.AVAILABLE_IPS, node);
    meters.add(registry.register(Metric.AVAILABLE_IPS, capacity, labels));
    meters.add(registry.register(Metric.USED_IPS, used, labels));
    meters.add(registry.register(Metric.NEEDED_IPS, needed, labels));
    meters.add(registry.register(Metric.NODE_SPARE_IPS, free, labels));
  }

  void set(long nowCapacity, long nowUsed, long nowNeeded, long nowFree) {
    capacity.set(nowCapacity);
    used.set(nowUsed);
    needed.set(nowNeeded);
    free.set(nowFree);
  }

  /** Pods it can give addresses to, and what its kubelet takes; without that there are none. */
  synchronized void setPods(long addresses, OptionalInt kubelet) {
    if (kubelet.isEmpty()) {
      podMeters.forEach(registry::remove);
      podMeters.clear();
      return;
    }
    capacityForPods.set(addresses);
    maxPods.set(kubelet.getAsInt());
    if (podMeters.isEmpty()) {
      podMeters.add(registry.register(Metric.NODE_POD_CAPACITY, capacityForPods, labels));
      podMeters.add(registry.register(Metric.NODE_MAX_PODS, maxPods, labels));
    }
  }

  /** Who else writes its pool; one at a time. */
  synchronized void setSecondOwner(Optional<String> manager) {
    ownerMeters.forEach(registry::remove);
    ownerMeters.clear();
    manager.ifPresent(
        name -> {
          GaugeValue there = new GaugeValue();
          there.set(1);
          ownerMeters.add(
              registry.register(
                  Metric.SECOND_OWNER, there, Meters.labels(Metric.SECOND_OWNER, node, name)));
        });
  }

  /** Addresses that pods hold and the cloud does not; without any there is no gauge. */
  synchronized void setUsedGone(long count) {
    setPassing(Metric.USED_IPS_GONE, usedGone, goneMeters, count);
  }

  /** Addresses that its agent leaves alone; without any there is no gauge. */
  synchronized void setNotTaken(long count) {
    setPassing(Metric.OFFERED_NOT_TAKEN_IPS, notTaken, notTakenMeters, count);
  }

  private void setPassing(Metric metric, GaugeValue value, List<Meter> present, long count) {
    value.set(count);
    if (count == 0) {
      present.forEach(registry::remove);
      present.clear();
    } else if (present.isEmpty()) {
      present.add(registry.register(metric, value, labels));
    }
  }

  synchronized void remove() {
    setUsedGone(0);
    setNotTaken(0);
    meters.forEach(registry::remove);
    podMeters.forEach(registry::remove);
    podMeters.clear();
    ownerMeters.forEach(registry::remove);
    ownerMeters.clear();
  }
}
