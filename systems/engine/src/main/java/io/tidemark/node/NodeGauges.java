package io.tidemark.node;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.tidemark.metrics.GaugeValue;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The gauges of one node. Thread-safe. */
final class NodeGauges {
  private final GaugeValue capacity = new GaugeValue();
  private final GaugeValue used = new GaugeValue();
  private final GaugeValue needed = new GaugeValue();
  private final GaugeValue spare = new GaugeValue();
  private final Passing podCapacity = new Passing(Metric.NODE_POD_CAPACITY);
  private final Passing maxPods = new Passing(Metric.NODE_MAX_PODS);
  private final Passing usedGone = new Passing(Metric.USED_IPS_GONE);
  private final Passing notTaken = new Passing(Metric.OFFERED_NOT_TAKEN_IPS);
  private final Passing secondOwner = new Passing(Metric.SECOND_OWNER);
  private final List<Meter> lasting;
  private final Meters meters;
  private final String node;
  private final Tags labels;

  /** A gauge that does not exist all the time. */
  private final class Passing extends GaugeValue {
    private final Metric metric;
    private @Nullable Meter present;

    Passing(Metric metric) {
      this.metric = metric;
    }

    void show(long number) {
      show(number, labels);
    }

    void show(long number, Tags itsLabels) {
      set(number);
      if (present == null) {
        present = meters.register(metric, this, itsLabels);
      }
    }

    void remove() {
      if (present != null) {
        meters.remove(present);
        present = null;
      }
    }
  }

  NodeGauges(Meters meters, String node) {
    this.meters = meters;
    this.node = node;
    this.labels = Meters.labels(Metric.AVAILABLE_IPS, node);
    this.lasting =
        List.of(
            meters.register(Metric.AVAILABLE_IPS, capacity, labels),
            meters.register(Metric.USED_IPS, used, labels),
            meters.register(Metric.NEEDED_IPS, needed, labels),
            meters.register(Metric.NODE_SPARE_IPS, spare, labels));
  }

  void setNumbers(NodeStatistics now) {
    capacity.set(now.capacity());
    used.set(now.used());
    needed.set(now.needed());
    spare.set(now.available() - now.used());
  }

  synchronized void setPods(PodCapacity now) {
    if (now.maxPods().isPresent()) {
      podCapacity.show(now.addresses());
      maxPods.show(now.maxPods().getAsInt());
    } else {
      podCapacity.remove();
      maxPods.remove();
    }
  }

  /** Who else writes its pool; one at a time. */
  synchronized void setSecondOwner(Optional<String> manager) {
    secondOwner.remove();
    manager.ifPresent(name -> secondOwner.show(1, Meters.labels(Metric.SECOND_OWNER, node, name)));
  }

  synchronized void setUsedGone(long count) {
    setUnlessZero(usedGone, count);
  }

  synchronized void setNotTaken(long count) {
    setUnlessZero(notTaken, count);
  }

  private static void setUnlessZero(Passing gauge, long count) {
    if (count == 0) {
      gauge.remove();
    } else {
      gauge.show(count);
    }
  }

  synchronized void remove() {
    lasting.forEach(meters::remove);
    List.of(podCapacity, maxPods, usedGone, notTaken, secondOwner).forEach(Passing::remove);
  }
}
