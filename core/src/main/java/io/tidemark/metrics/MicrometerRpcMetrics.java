package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** The calls of the node's network plugin, under the names of docs/metrics.md. Thread-safe. */
public final class MicrometerRpcMetrics implements RpcMetrics {
  private final Meters meters;

  /** Metrics whose names begin with {@link MicrometerDatastoreMetrics#DEFAULT_PREFIX}. */
  public MicrometerRpcMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry, MicrometerDatastoreMetrics.DEFAULT_PREFIX);
  }

  @Override
  public void answered(String method, String code, Duration took) {
    meters.record(Metric.RPC_DURATION, took, method, code);
  }

  @Override
  public void addRequested() {
    meters.gauge(Metric.RPC_ADD_REQUESTS).add(1);
  }

  @Override
  public void delRequested(String reason) {
    meters.gauge(Metric.RPC_DEL_REQUESTS, reason).add(1);
  }
}
