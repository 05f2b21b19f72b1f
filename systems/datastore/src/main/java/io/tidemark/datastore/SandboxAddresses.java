package io.tidemark.datastore;

import io.tidemark.datastore.AddressSlot.Use;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.Commit;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Gives sandboxes addresses and takes them back. Memory changes first; when the write fails, it is
 * as before. Nothing builds on a change that is not durable, so each can be taken back by itself.
 */
final class SandboxAddresses {
  private final StoreState state;
  private final StorePool pool;
  private final StoreChanges changes;
  private final TimeSource time;

  SandboxAddresses(StoreState state, StoreChanges changes, TimeSource time) {
    this.state = state;
    this.pool = state.pool;
    this.changes = changes;
    this.time = time;
  }

  /** As {@link DataStore#assign}. */
  CompletionStage<AssignOutcome> assign(IpamKey key, IpamMetadata metadata, IpFamily family) {
    Assigning started;
    synchronized (state) {
      if (key.isEmpty()) {
        return refused(StoreRefusal.invalidKey());
      }
      if (!changes.isOpen()) {
        return refused(StoreRefusal.notRecovered());
      }
      if (family == IpFamily.IPV6 && pool.blocks.mode() != CidrKind.PREFIX) {
        return refused(StoreRefusal.ipv6WithoutPrefixes());
      }
      AddressSlot held = pool.ofKey(key, family);
      if (held != null) {
        return repeated(held, key, metadata, family);
      }
      AddressSlot migrated = pool.ofKey(key.asMigrated(), family);
      if (migrated != null && migrated.use == Use.ASSIGNED) {
        started = Assigning.rename(pool, migrated, key);
      } else {
        Optional<Assigning> taken = take(key, metadata, family);
        if (taken.isEmpty()) {
          state.foundNone(metadata, time.nanos());
          return CompletableFuture.completedStage(
              new AssignOutcome.NoAddress(pool.blocks.emptiness(family)));
        }
        started = taken.get();
        state.waiting.remove(metadata);
      }
    }
    commit(started);
    return started.end();
  }

  private Optional<Assigning> take(IpamKey key, IpamMetadata metadata, IpFamily family) {
    long now = time.nanos();
    long epochNanos = time.epochMillis() * 1_000_000;
    Function<IpAddress, CheckpointEntry> entry =
        ip -> CheckpointEntry.of(key, ip, epochNanos, metadata);
    Optional<Assigning> free = Assigning.free(pool, entry, family, now);
    return free.isEmpty() && !state.growable ? Assigning.cooling(pool, entry, family, now) : free;
  }

  private static CompletionStage<AssignOutcome> refused(StoreRefusal refusal) {
    return CompletableFuture.completedStage(new AssignOutcome.Refused(refusal));
  }

  private CompletionStage<AssignOutcome> repeated(
      AddressSlot held, IpamKey key, IpamMetadata metadata, IpFamily family) {
    if (held.assigning != null) {
      return held.assigning;
    }
    if (held.releasing != null) {
      return held.releasing.thenCompose(unused -> assign(key, metadata, family));
    }
    return CompletableFuture.completedStage(
        new AssignOutcome.Granted(held.assignment(), Optional.empty()));
  }

  private void commit(Assigning started) {
    changes
        .submit(
            new StoreChange.Assigned(
                started.slot().address, new StoreChange.Written(started.slot().entry())))
        .thenAccept(
            commit -> {
              AssignOutcome outcome;
              synchronized (state) {
                outcome = started.ended(pool, commit, time.nanos());
                if (outcome instanceof AssignOutcome.Granted) {
                  if (started.cooledFor().isPresent()) {
                    state.cutShort++;
                    state.unrecorded = Math.max(0, state.unrecorded - 1); // it has cooled longest
                  }
                  IpamKey key = started.slot().key();
                  state.orphans.removeIf(each -> each.entry().key().isOf(key));
                }
              }
              if (outcome instanceof AssignOutcome.Granted) {
                state.meters.assigned(started.reuseNanos());
              }
              started.end().complete(outcome);
            });
  }

  /** As {@link DataStore#release}. */
  CompletionStage<StoreReleaseOutcome> release(IpamKey key) {
    List<AddressSlot> slots;
    List<Orphan> gone;
    CompletableFuture<StoreReleaseOutcome> end = new CompletableFuture<>();
    synchronized (state) {
      if (!changes.isOpen()) {
        return CompletableFuture.completedStage(
            new StoreReleaseOutcome.Refused(StoreRefusal.notRecovered()));
      }
      slots = slotsOf(key);
      for (AddressSlot slot : slots) {
        if (slot.releasing != null) {
          return slot.releasing;
        }
        if (slot.assigning != null) {
          return slot.assigning.thenCompose(unused -> release(key));
        }
      }
      gone = state.orphans.stream().filter(each -> each.entry().key().isOf(key)).toList();
      if (gone.isEmpty()) {
        for (AddressSlot slot : slots) {
          slot.use = Use.RELEASING;
          slot.releasing = end;
        }
      }
    }
    if (gone.isEmpty() && !slots.isEmpty()) {
      commit(slots, end);
      return end;
    }
    return forget(gone)
        .thenCompose(
            outcome ->
                !slots.isEmpty() && !(outcome instanceof StoreReleaseOutcome.Refused)
                    ? release(key)
                    : CompletableFuture.completedStage(outcome));
  }

  private List<AddressSlot> slotsOf(IpamKey key) {
    List<AddressSlot> own = key.isEmpty() ? List.of() : pool.ofKey(key);
    return own.isEmpty() ? pool.ofKey(key.asMigrated()) : own;
  }

  private void commit(List<AddressSlot> slots, CompletableFuture<StoreReleaseOutcome> end) {
    List<IpAddress> addresses = slots.stream().map(slot -> slot.address).toList();
    changes
        .submit(new StoreChange.Released(addresses, time.epochMillis() * 1_000_000, time.nanos()))
        .thenAccept(
            commit -> {
              StoreReleaseOutcome outcome;
              synchronized (state) {
                outcome = ended(slots, commit, time.nanos());
              }
              end.complete(outcome);
            });
  }

  private StoreReleaseOutcome ended(List<AddressSlot> slots, Commit commit, long now) {
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

  /** A sandbox without an address here may have had one that left the node, which cools. */
  private CompletionStage<StoreReleaseOutcome> forget(List<Orphan> gone) {
    CompletionStage<StoreReleaseOutcome> end =
        CompletableFuture.completedStage(new StoreReleaseOutcome.Unknown(Optional.empty()));
    for (Orphan orphan : gone) {
      long now = time.nanos();
      StoreChange change =
          orphan
              .address()
              .<StoreChange>map(
                  address ->
                      new StoreChange.OrphanReleased(
                          orphan.entry(), address, time.epochMillis() * 1_000_000, now))
              .orElseGet(() -> new StoreChange.OrphanGone(orphan.entry()));
      end =
          end.thenCombine(
              changes.submit(change).thenApply(commit -> forgotten(orphan, commit, now)),
              StoreReleaseOutcome::both);
    }
    return end;
  }

  private StoreReleaseOutcome forgotten(Orphan orphan, Commit commit, long releasedNanos) {
    if (commit instanceof Commit.Failed failed) {
      return new StoreReleaseOutcome.Refused(StoreRefusal.notWritten(failed.reason()));
    }
    synchronized (state) {
      Optional<Assignment> had = state.had(orphan);
      state.orphans.remove(orphan);
      long now = time.nanos();
      orphan.address().ifPresent(address -> pool.cool(address, now - releasedNanos, now));
      return new StoreReleaseOutcome.Unknown(had);
    }
  }
}
