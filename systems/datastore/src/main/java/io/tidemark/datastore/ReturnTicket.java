package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Unused parts of a node that are about to be given back to the cloud: no sandbox gets an address
 * of them. The first end counts; what comes after has no effect.
 */
public final class ReturnTicket {
  private final CloudReturns store;
  private final List<CloudPart> parts;
  private final List<Cidr> cidrs;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * A ticket.
   *
   * @param cidrs all of {@code parts}
   */
  ReturnTicket(CloudReturns store, List<CloudPart> parts, List<Cidr> cidrs) {
    this.store = store;
    this.parts = parts;
    this.cidrs = cidrs;
  }

  /** The parts to give back; may be empty. */
  public List<CloudPart> parts() {
    return parts;
  }

  /**
   * Notes in the file that their addresses cool from now on, for a program that starts while the
   * cloud takes them back. Ends with whether that is durable, never exceptionally.
   */
  public CompletionStage<Boolean> note() {
    return store.note(cidrs);
  }

  /** The cloud has these back; the others can be assigned from again. */
  public void commit(Collection<CloudPart> returned) {
    if (ended.compareAndSet(false, true)) {
      store.ended(parts, returned);
    }
  }

  /** The cloud has none of them back. */
  public void rollback() {
    commit(List.of());
  }
}
