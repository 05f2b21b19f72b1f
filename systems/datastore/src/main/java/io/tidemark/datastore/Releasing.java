package io.tidemark.datastore;

import io.tidemark.datastore.AddressSlot.Use;
import io.tidemark.file.Commit;
import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A release that is being made durable. The lock of the store guards its methods. */
record Releasing(
    List<AddressSlot> slots,
    StoreChange.Released change,
    CompletableFuture<StoreReleaseOutcome> end) {
  /** Of all addresses of a sandbox, of which no write is under way. */
  static Releasing of(List<AddressSlot> slots, TimeSource time) {
    CompletableFuture<StoreReleaseOutcome> end = new CompletableFuture<>();
    for (AddressSlot slot : slots) {
      slot.use = Use.RELEASING;
      slot.releasing = end;
    }
    StoreChange.Released change =
        new StoreChange.Released(
            slots.stream().map(slot -> slot.address).toList(),
            time.epochMillis() * 1_000_000,
            time.nanos());
    return new Releasing(slots, change, end);
  }

  StoreReleaseOutcome ended(StorePool pool, Commit commit, long now) {
    for (AddressSlot slot : slots) {
      slot.releasing = null;
      slot.use = Use.ASSIGNED;
    }
    if (commit instanceof Commit.Failed failed) {
      return new StoreReleaseOutcome.Refused(StoreRefusal.notWritten(failed.reason()));
    }
    int interfaces =
        slots.stream().mapToInt(it -> it.entry().metadata().interfaces()).max().orElse(1);
    List<Assignment> had = slots.stream().map(AddressSlot::assignment).toList();
    slots.forEach(slot -> pool.release(slot, now, now));
    return new StoreReleaseOutcome.Released(had, interfaces);
  }
}
