package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** The answers to CNI plugins, under the names of docs/metrics.md. Thread-safe. */
public final class MicrometerCniMetrics implements CniMetrics {
  private final Meters meters;

  /** Metrics whose names begin with {@link MicrometerAllocatorMetrics#DEFAULT_PREFIX}. */
  public MicrometerCniMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry, MicrometerAllocatorMetrics.DEFAULT_PREFIX);
    waiting(0);
  }

  @Override
  public void answered(String command, int code, Duration took) {
    meters.count(Metric.AGENT_CNI_REQUESTS, command, Integer.toString(code));
    meters.record(Metric.AGENT_CNI_DURATION, took, command);
  }

  @Override
  public void waiting(int pods) {
    meters.gauge(Metric.AGENT_CNI_WAITING).set(pods);
  }
}
