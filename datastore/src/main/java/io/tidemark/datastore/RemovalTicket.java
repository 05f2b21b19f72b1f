package io.tidemark.datastore;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An unused interface that is about to be removed from the cloud: no sandbox gets an address of it.
 * Either method ends that; what comes after has no effect.
 */
public final class RemovalTicket {
  private final StoreReturns store;
  private final String eniId;
  private final AtomicBoolean ended = new AtomicBoolean();

  RemovalTicket(StoreReturns store, String eniId) {
    this.store = store;
    this.eniId = eniId;
  }

  public String eniId() {
    return eniId;
  }

  /** The cloud has removed it. */
  public void commit() {
    if (ended.compareAndSet(false, true)) {
      store.drained(eniId);
    }
  }

  /** The cloud has not removed it; its addresses can be assigned again. */
  public void rollback() {
    if (ended.compareAndSet(false, true)) {
      store.notDrained(eniId);
    }
  }
}
