package io.tidemark.datastore.checkpoint;

import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.metrics.DatastoreMetrics;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;

/** Measures the writes of a network card's checkpoint. */
public final class MeasuredCheckpointer implements Checkpointer {
  private final Checkpointer file;
  private final TimeSource time;
  private final int card;
  private final DatastoreMetrics metrics;

  /** The writes of {@code file}. */
  public MeasuredCheckpointer(
      Checkpointer file, TimeSource time, int card, DatastoreMetrics metrics) {
    this.file = file;
    this.time = time;
    this.card = card;
    this.metrics = metrics;
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
      metrics.checkpoint(card, written, Duration.ofNanos(time.nanos() - began));
    }
  }

  @Override
  public Read restore() throws IOException {
    return file.restore();
  }
}
