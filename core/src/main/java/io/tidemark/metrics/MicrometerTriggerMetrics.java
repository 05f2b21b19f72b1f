package io.tidemark.metrics;

import io.tidemark.time.TriggerObserver;
import java.time.Duration;

/** Metrics that all triggers of one kind share. */
record MicrometerTriggerMetrics(TriggerObserver meters) implements TriggerMetrics {
  @Override
  public void queued() {
    meters.queued();
  }

  @Override
  public void ran(Duration duration, Duration latency, int folds) {
    meters.ran(duration, latency, folds);
  }
}
