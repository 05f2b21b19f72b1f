package io.tidemark.datastore;

import io.tidemark.datastore.AddressSlot.Use;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.file.Commit;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.ReleaseTimes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An assignment that is being made durable, and how to take it back. The lock of the store guards
 * its methods.
 *
 * @param cooledFor how long the address had cooled; empty when it was free
 * @param reuseNanos how long ago it was released; negative when unknown
 * @param before the entry that the same sandbox had under another key; null when it had none
 */
record Assigning(
    AddressSlot slot,
    Optional<Duration> cooledFor,
    long reuseNanos,
    @Nullable CheckpointEntry before,
    CompletableFuture<AssignOutcome> end) {
  private Assigning(
      AddressSlot slot,
      Optional<Duration> cooledFor,
      long reuseNanos,
      @Nullable CheckpointEntry before) {
    this(slot, cooledFor, reuseNanos, before, new CompletableFuture<>());
    slot.use = Use.ASSIGNING;
    slot.assigning = end;
  }

  /**
   * Takes a free address; empty when there is none.
   *
   * @param entry of the address that the sandbox gets
   */
  static Optional<Assigning> free(
      StorePool pool, Function<IpAddress, CheckpointEntry> entry, IpFamily family, long now) {
    return pool.next(family, now)
        .map(ip -> pool.hold(ip, entry.apply(ip)))
        .map(slot -> new Assigning(slot, Optional.empty(), age(slot, now), null));
  }

  /** Takes the address that has cooled longest; empty when none has cooled long enough. */
  static Optional<Assigning> cooling(
      StorePool pool, Function<IpAddress, CheckpointEntry> entry, IpFamily family, long now) {
    AddressSlot cooled = pool.nextCooling(family, now);
    if (cooled == null) {
      return Optional.empty();
    }
    pool.hold(cooled, entry.apply(cooled.address));
    long age = age(cooled, now);
    return Optional.of(new Assigning(cooled, Optional.of(Duration.ofNanos(age)), age, null));
  }

  private static long age(AddressSlot slot, long now) {
    return ReleaseTimes.age(slot.releasedNanos, now);
  }

  /** The sandbox is known by its own key from now on, and keeps its address. */
  static Assigning rename(StorePool pool, AddressSlot slot, IpamKey key) {
    CheckpointEntry before = slot.entry();
    pool.assign(slot, before.withKey(key));
    return new Assigning(slot, Optional.empty(), -1, before);
  }

  AssignOutcome ended(StorePool pool, Commit commit, long now) {
    slot.assigning = null;
    slot.use = Use.ASSIGNED;
    if (!(commit instanceof Commit.Failed failed)) {
      return new AssignOutcome.Granted(slot.assignment(), cooledFor);
    }
    if (before != null) {
      pool.assign(slot, before);
    } else {
      pool.undo(slot, cooledFor.isPresent(), now);
    }
    return new AssignOutcome.Refused(StoreRefusal.notWritten(failed.reason()));
  }
}
