package io.tidemark.metrics;

import io.tidemark.time.TriggerObserver;
import java.time.Duration;

/** The meters that all triggers of one kind share. */
record TriggerMeters(Meters meters) implements TriggerObserver {
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
