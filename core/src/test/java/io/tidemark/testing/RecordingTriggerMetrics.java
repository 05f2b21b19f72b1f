package io.tidemark.testing;

import io.tidemark.metrics.TriggerMetrics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what triggers of one kind reported. Thread-safe. */
public final class RecordingTriggerMetrics implements TriggerMetrics {
  private final AtomicInteger queued = new AtomicInteger();
  private final List<Run> runs = new CopyOnWriteArrayList<>();

  /** One run as it was reported. */
  public record Run(Duration duration, Duration latency, int folds) {}

  @Override
  public void queued() {
    queued.incrementAndGet();
  }

  @Override
  public void ran(Duration duration, Duration latency, int folds) {
    runs.add(new Run(duration, latency, folds));
  }

  /** How often a run was asked for. */
  public int queuedCount() {
    return queued.get();
  }

  /** The runs in the order of their ends. */
  public List<Run> runs() {
    return List.copyOf(runs);
  }
}
