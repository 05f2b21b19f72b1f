package io.tidemark.datastore;

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

  StoreState(StorePool pool) {
    this.pool = pool;
  }
}
