package io.tidemark.metrics;

import io.micrometer.core.instrument.Meter;
import java.util.ArrayList;
import java.util.List;

/** The gauges of one node, which come and go with it. */
final class NodeGauges {
  private final GaugeValue capacity = new GaugeValue();
  private final GaugeValue used = new GaugeValue();
  private final GaugeValue needed = new GaugeValue();
  private final GaugeValue free = new GaugeValue();
  private final List<Meter> meters = new ArrayList<>(4);

  NodeGauges(Meters registry, String node) {
    meters.add(registry.register(Metric.AVAILABLE_IPS, capacity, node));
    meters.add(registry.register(Metric.USED_IPS, used, node));
    meters.add(registry.register(Metric.NEEDED_IPS, needed, node));
    meters.add(registry.register(Metric.NODE_AVAILABLE_IPS, free, node));
  }

  void set(long nowCapacity, long nowUsed, long nowNeeded, long nowFree) {
    capacity.set(nowCapacity);
    used.set(nowUsed);
    needed.set(nowNeeded);
    free.set(nowFree);
  }

  void removeFrom(Meters registry) {
    meters.forEach(registry::remove);
  }
}
