package io.tidemark.datastore;

import io.tidemark.datastore.StoreChange.Written;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointJson;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.file.GroupCommit;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * The content of the file of a store. It keeps the bytes of each part, so that a write copies them.
 * Entries are in the order of their addresses: an equal state gives equal bytes, but for the
 * generation.
 */
final class CheckpointContent implements GroupCommit.Ledger<StoreChange> {
  private final TimeSource time;
  private final Duration cooldown;
  private final String bootId;
  private final String unknown;
  private long generation;
  private final Content committed;
  private final IntConsumer batches;

  private static final class Stamp {
    private final long nanos;
    private final byte[] bytes;

    private Stamp(long nanos, byte[] bytes) {
      this.nanos = nanos;
      this.bytes = bytes;
    }
  }

  private record Content(
      SortedMap<IpAddress, Written> allocations,
      Map<CheckpointEntry, Written> orphans,
      Map<IpAddress, Stamp> released) {
    Content() {
      this(new TreeMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    Content copy() {
      return new Content(
          new TreeMap<>(allocations), new LinkedHashMap<>(orphans), new LinkedHashMap<>(released));
    }

    void apply(StoreChange change) {
      if (change instanceof StoreChange.Assigned assigned) {
        put(assigned.address(), assigned.written());
        IpamKey key = assigned.written().entry.key();
        orphans.keySet().removeIf(each -> each.key().isOf(key));
      } else if (change instanceof StoreChange.Reclaimed reclaimed) {
        put(reclaimed.address(), reclaimed.written());
        orphans.remove(reclaimed.written().entry);
      } else if (change instanceof StoreChange.Released freed) {
        for (IpAddress address : freed.addresses()) {
          allocations.remove(address);
          stamp(address, freed.epochNanos(), freed.nanos());
        }
      } else if (change instanceof StoreChange.Unplaced unplaced) {
        Written before = allocations.get(unplaced.address());
        if (before != null && before.entry.equals(unplaced.entry())) {
          allocations.remove(unplaced.address());
          stamp(unplaced.address(), unplaced.epochNanos(), unplaced.nanos());
        }
        orphan(unplaced.entry());
      } else if (change instanceof StoreChange.OrphanReleased released) {
        orphans.remove(released.entry());
        if (!allocations.containsKey(released.address())) {
          stamp(released.address(), released.epochNanos(), released.nanos());
        }
      } else if (change instanceof StoreChange.OrphanGone gone) {
        orphans.remove(gone.entry());
      }
    }

    private void put(IpAddress address, Written written) {
      allocations.put(address, written);
      released.remove(address);
    }

    void orphan(CheckpointEntry entry) {
      orphans.put(entry, new Written(entry));
    }

    /** The latest releases stand last. */
    void stamp(IpAddress address, long epochNanos, long nanos) {
      released.remove(address);
      byte[] bytes = CheckpointJson.released(new Released(address, epochNanos));
      released.put(address, new Stamp(nanos, bytes));
    }
  }

  /**
   * The content that a store begins with.
   *
   * @param recovered what the file says, as far as it is not in the other parts
   * @param batches hears how many changes each write has
   */
  CheckpointContent(
      TimeSource time,
      Duration cooldown,
      String bootId,
      CheckpointData recovered,
      Recovery start,
      IntConsumer batches) {
    this.time = time;
    this.cooldown = cooldown;
    this.bootId = bootId;
    this.unknown = recovered.unknown();
    this.generation = recovered.extension().map(Extension::generation).orElse(0L);
    this.committed = new Content();
    this.batches = batches;
    IpFamily family = start.family();
    for (CheckpointEntry entry : start.placed()) {
      committed.allocations.put(entry.address(family).orElseThrow(), new Written(entry));
    }
    start.orphans().forEach(each -> committed.orphan(each.entry()));
    start.cooling().forEach(it -> committed.stamp(it.ip(), it.epochNanos(), it.nanos()));
  }

  @Override
  public byte[] contentWith(List<StoreChange> changes) {
    batches.accept(changes.size());
    Content next = committed.copy();
    changes.forEach(next::apply);
    long now = time.nanos();
    next.released.values().removeIf(stamp -> now - stamp.nanos > cooldown.toNanos());
    generation++;
    CheckpointJson.Document document = new CheckpointJson.Document();
    document.allocations(bytes(next.allocations.values().stream().toList()));
    document.unknown(unknown);
    document.extension(
        new Extension(bootId, generation, List.of(), List.of()),
        next.released.values().stream().map(stamp -> stamp.bytes).toList(),
        bytes(List.copyOf(next.orphans.values())));
    return document.bytes();
  }

  private static List<byte[]> bytes(List<Written> parts) {
    return parts.stream().map(Written::bytes).toList();
  }

  @Override
  public void committed(List<StoreChange> changes) {
    changes.forEach(committed::apply);
    long now = time.nanos();
    committed.released.values().removeIf(stamp -> now - stamp.nanos > cooldown.toNanos());
  }
}
