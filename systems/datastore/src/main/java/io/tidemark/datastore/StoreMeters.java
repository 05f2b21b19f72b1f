package io.tidemark.datastore;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import java.time.Duration;

/** The events of the store of one network card. Thread-safe. */
final class StoreMeters {
  static final StoreMeters NONE = new StoreMeters(Meters.none(), 0);

  private final Meters meters;
  private final String card;

  StoreMeters(Meters meters, int card) {
    this.meters = meters;
    this.card = Integer.toString(card);
  }

  /** A write of the checkpoint begins that has so many changes. */
  void batch(int changes) {
    meters.record(Metric.STORE_BATCH_SIZE, changes, card);
  }

  /** An address was assigned; negative for one that was not released before. */
  void assigned(long reuseNanos) {
    if (reuseNanos >= 0) {
      meters.record(Metric.STORE_REUSE_DISTANCE, Duration.ofNanos(reuseNanos), card);
    }
  }
}
