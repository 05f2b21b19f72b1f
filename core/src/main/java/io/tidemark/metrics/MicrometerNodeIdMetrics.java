package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.Supplier;

/** The metrics of node ids in a Micrometer registry, as docs/metrics.md names them. Thread-safe. */
public final class MicrometerNodeIdMetrics implements NodeIdMetrics {
  /** With what their names begin. */
  public static final String DEFAULT_PREFIX = "tidemark_node_id_";

  private final Meters meters;

  /** Metrics in {@code registry} whose names begin with {@link #DEFAULT_PREFIX}. */
  public MicrometerNodeIdMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry);
  }

  @Override
  public void nodeIds(Supplier<NodeIdCounts> counts) {
    NodeIdCounts now = counts.get();
    for (String state : now.ids().keySet()) {
      meters.gauge(Metric.NODE_ID_IDS, () -> counts.get().ids().getOrDefault(state, 0L), state);
    }
    for (String state : now.nodes().keySet()) {
      meters.gauge(Metric.NODE_ID_NODES, () -> counts.get().nodes().getOrDefault(state, 0), state);
    }
    meters.gauge(Metric.NODE_ID_CONFLICTS, () -> counts.get().conflicts());
  }

  @Override
  public void claimed(Duration took) {
    meters.record(Metric.NODE_ID_CLAIM_DURATION, took);
  }

  @Override
  public void reasserted() {
    meters.count(Metric.NODE_ID_REASSERTED);
  }
}
