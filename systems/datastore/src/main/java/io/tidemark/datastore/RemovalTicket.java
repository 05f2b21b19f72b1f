package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An unused interface that is about to be removed from the cloud: no sandbox gets an address of it.
 * Either method ends that; what comes after has no effect.
 */
public final class RemovalTicket {
  private final CloudReturns store;
  private final String eniId;
  private final List<Cidr> cidrs;
  private final AtomicBoolean ended = new AtomicBoolean();

  RemovalTicket(CloudReturns store, String eniId, List<Cidr> cidrs) {
    this.store = store;
    this.eniId = eniId;
    this.cidrs = List.copyOf(cidrs);
  }

  /**
   * Notes in the file that its addresses cool from now on, for a program that starts while the
   * cloud removes it. Ends with whether that is durable, never exceptionally.
   */
  public CompletionStage<Boolean> note() {
    return store.note(cidrs);
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
