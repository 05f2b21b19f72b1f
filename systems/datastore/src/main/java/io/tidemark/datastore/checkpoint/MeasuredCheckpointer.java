package io.tidemark.datastore.checkpoint;

import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;

/** Measures the writes of a network card's checkpoint. */
public final class MeasuredCheckpointer implements Checkpointer {
  private final Checkpointer file;
  private final TimeSource time;
  private final String card;
  private final Meters meters;

  /** The writes of {@code file}. */
  public MeasuredCheckpointer(Checkpointer file, TimeSource time, int card, Meters meters) {
    this.file = file;
    this.time = time;
    this.card = Integer.toString(card);
    this.meters = meters;
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public void checkpoint(byte[] content) throws IOException {
    long began = time.nanos();
    boolean written = false;
    try {
      file.checkpoint(content);
      written = true;
    } finally {
      Duration took = Duration.ofNanos(time.nanos() - began);
      meters.record(Metric.STORE_CHECKPOINT_DURATION, took, card);
      if (!written) {
        meters.count(Metric.STORE_CHECKPOINT_FAILURES, card);
      }
    }
  }

  @Override
  public Read restore() throws IOException {
    return file.restore();
  }
}
