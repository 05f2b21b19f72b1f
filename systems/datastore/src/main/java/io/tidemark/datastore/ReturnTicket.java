package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Unused addresses and prefixes that are about to be given back to the cloud: no sandbox gets an
 * address of them. Either method ends that; what comes after has no effect.
 */
public final class ReturnTicket {
  private final CloudReturns store;
  private final List<Returned> cidrs;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** An address or prefix of an interface. */
  public record Returned(String eniId, Cidr cidr) {}

  ReturnTicket(CloudReturns store, List<Returned> cidrs) {
    this.store = store;
    this.cidrs = List.copyOf(cidrs);
  }

  /** The CIDRs to give back; may be empty. */
  public List<Returned> cidrs() {
    return cidrs;
  }

  /**
   * Notes in the file that their addresses cool from now on, for a program that starts while the
   * cloud takes them back. Ends with whether that is durable, never exceptionally.
   */
  public CompletionStage<Boolean> note() {
    return store.note(cidrs.stream().map(Returned::cidr).toList());
  }

  /** The cloud has these back; the others can be assigned from again. */
  public void commit(Collection<Cidr> returned) {
    if (ended.compareAndSet(false, true)) {
      store.returned(cidrs, returned);
    }
  }

  /** The cloud has none of them back. */
  public void rollback() {
    commit(List.of());
  }
}
