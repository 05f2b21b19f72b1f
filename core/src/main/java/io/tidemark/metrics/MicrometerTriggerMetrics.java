package io.tidemark.metrics;

import java.time.Duration;

/** Metrics that all triggers of one kind share. */
final class MicrometerTriggerMetrics implements TriggerMetrics {
  private final Meters meters;

  MicrometerTriggerMetrics(Meters meters) {
    this.meters = meters;
  }

  @Override
  public void queued() {
    meters.count(Metric.TRIGGER_QUEUED);
  }

  @Override
  public void ran(Duration duration, Duration latency, int folds) {
    meters.record(Metric.TRIGGER_DURATION, duration);
    meters.record(Metric.TRIGGER_LATENCY, latency);
    meters.gauge(Metric.TRIGGER_FOLDS).set(folds);
  }
}
