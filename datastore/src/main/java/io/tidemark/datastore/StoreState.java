package io.tidemark.datastore;

import io.tidemark.metrics.DatastoreMetrics;
import io.tidemark.metrics.NoMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a store. Its monitor guards all of it, is held for computations alone, and no other
 * lock is taken under it.
 */
final class StoreState {
  final StorePool pool;

  /** Assignments whose addresses the node does not have. */
  final List<Orphan> orphans = new ArrayList<>();

  StoreCounters counters = StoreCounters.ZERO;

  /** Whether the node can get more addresses. */
  boolean growable = true;

  /** How many addresses began to cool at the start, without a record of their release. */
  int unrecorded;

  /** When their time is over, in monotonic time. */
  long unrecordedUntil;

  /** Where the store counts what it does; its monitor does not guard this. */
  volatile Meter meter = new Meter(0, NoMetrics.DATASTORE);

  /** The metrics of a network card. */
  record Meter(int card, DatastoreMetrics metrics) {
    void batch(int changes) {
      metrics.batch(card, changes);
    }

    /** An address was assigned; negative for one that was not released before. */
    void assigned(long reuseNanos) {
      if (reuseNanos >= 0) {
        metrics.reused(card, Duration.ofNanos(reuseNanos));
      }
    }
  }

  StoreState(StorePool pool) {
    this.pool = pool;
  }
}
