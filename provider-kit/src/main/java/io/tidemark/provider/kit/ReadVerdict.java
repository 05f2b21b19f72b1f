package io.tidemark.provider.kit;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.util.List;

/**
 * The result of a read of one instance: takes it into the inventory and returns whether the
 * instance is known now. Thread-safe.
 */
public final class ReadVerdict<I extends CachedInterface<I>> {
  private final InstanceInventory<I> inventory;

  /** The cloud's response to a query by id for an instance without a listed interface. */
  public enum Said {
    /** The response omits it. */
    NOTHING,
    /** It is terminated. */
    TERMINATED,
    /** It exists, running or not. */
    EXISTS
  }

  public ReadVerdict(InstanceInventory<I> inventory) {
    this.inventory = inventory;
  }

  /** The read shows these interfaces, ids ascending. */
  public SyncOutcome shown(ReadMark mark, InstanceId id, List<I> interfaces) {
    return inventory.accept(mark, id, interfaces)
        ? new SyncOutcome.Synced(mark.generation())
        : failed("effectNotShown", "the cloud does not yet show the result of a request for " + id);
  }

  /**
   * The read shows no interface of it. {@link SyncOutcome.Synced} when it exists and has none,
   * {@link SyncOutcome.InstanceNotFound} when it is gone; until the inventory counts it as gone
   * ({@link InstanceInventory#notFound}) the read has failed and what is known stays.
   */
  public SyncOutcome missing(ReadMark mark, InstanceId id, Said said) {
    if (!inventory.notFound(mark, id, said == Said.TERMINATED)) {
      return failed(
          "absenceUnconfirmed",
          "a single read does not show " + id + "; what is known stays for now");
    }
    if (said == Said.EXISTS) {
      inventory.accept(mark, id, List.of());
      return new SyncOutcome.Synced(mark.generation());
    }
    return new SyncOutcome.InstanceNotFound();
  }

  private static SyncOutcome failed(String condition, String detail) {
    return new SyncOutcome.Failed(Failure.of(Failure.Kind.TRANSIENT, condition, detail));
  }
}
