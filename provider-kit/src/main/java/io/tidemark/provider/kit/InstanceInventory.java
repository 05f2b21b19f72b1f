package io.tidemark.provider.kit;

import io.tidemark.spi.InstanceId;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The known state of every instance: the last reads, corrected by own writes (node-manager 0 N14,
 * 13 D-2, D-4). A read never replaces newer state, and an instance that a listing omits stays until
 * the cloud confirms that it is gone.
 *
 * <p>Thread-safe; every step is a pure function of one instance's entry.
 */
public final class InstanceInventory<I extends CachedInterface<I>> {
  private final TimeSource time;
  private final Freshness freshness;
  private final AtomicLong generation = new AtomicLong();
  private final ConcurrentHashMap<InstanceId, Entry<I>> entries = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<InstanceId, Absence> absences = new ConcurrentHashMap<>();

  private record Entry<I extends CachedInterface<I>>(
      InstanceView<I> view, List<OwnWrite<I>> writes, long readGeneration) {}

  private record Absence(long sinceNanos, boolean certain) {}

  /**
   * An empty inventory.
   *
   * @param overlayExpiry how long a confirmed write takes precedence over reads that contradict it
   * @param horizon how far a read of this cloud can lag behind
   */
  public InstanceInventory(TimeSource time, Duration overlayExpiry, Duration horizon) {
    this.time = time;
    this.freshness = new Freshness(overlayExpiry, horizon);
  }

  /** How long own writes take precedence over reads that contradict them. */
  public Duration overlayExpiry() {
    return freshness.overlayExpiry();
  }

  /** The state of an instance; empty when it is unknown. */
  public Optional<InstanceView<I>> find(InstanceId id) {
    Entry<I> entry = entries.get(id);
    return entry == null ? Optional.empty() : Optional.of(entry.view());
  }

  /** Whether an instance is known. */
  public boolean contains(InstanceId id) {
    return entries.containsKey(id);
  }

  /** Whether the cloud confirmed that the instance does not exist. */
  public boolean knownAbsent(InstanceId id) {
    Absence absence = absences.get(id);
    return absence != null && absence.certain();
  }

  /** Ids of all known instances, ascending. */
  public Set<InstanceId> ids() {
    return new TreeSet<>(entries.keySet());
  }

  /** Forgets an instance that no node has any more. */
  public void forget(InstanceId id) {
    entries.remove(id);
    absences.remove(id);
  }

  /** Call it before a read is sent. */
  public ReadMark beginRead() {
    return new ReadMark(generation.incrementAndGet(), time.nanos());
  }

  /**
   * Takes in what a read shows of one instance.
   *
   * @return whether the results of all requests are known now; false while a request with a lost
   *     response may still show its effect
   */
  public boolean accept(ReadMark mark, InstanceId id, List<I> read) {
    absences.remove(id);
    Entry<I> accepted = entries.compute(id, (key, entry) -> merged(entry, mark, read));
    return Freshness.settled(accepted.writes());
  }

  private Entry<I> merged(@Nullable Entry<I> old, ReadMark mark, List<I> read) {
    if (old == null) {
      return new Entry<>(
          new InstanceView<>(mark.generation(), read, false), List.of(), mark.generation());
    }
    if (old.readGeneration() > mark.generation()) {
      return old;
    }
    Freshness.Merged<I> merged = freshness.merge(read, old.writes(), mark);
    List<OwnWrite<I>> writes = merged.remembered();
    boolean doubtful = Freshness.doubtful(writes);
    InstanceView<I> view = old.view();
    if (!merged.interfaces().equals(view.interfaces()) || doubtful != view.doubtful()) {
      view =
          new InstanceView<>(
              Math.max(view.generation(), mark.generation()), merged.interfaces(), doubtful);
    }
    return new Entry<>(view, writes, mark.generation());
  }

  /**
   * Records a request that changed, or may have changed, an instance.
   *
   * @return the generation that includes it
   */
  public long wrote(InstanceId id, boolean certain, Change<I> change) {
    long written = generation.incrementAndGet();
    OwnWrite<I> write = new OwnWrite<>(written, time.nanos(), certain, change);
    entries.computeIfPresent(
        id,
        (key, entry) -> {
          List<OwnWrite<I>> writes = new ArrayList<>(entry.writes());
          writes.removeIf(old -> write.nanos() - old.nanos() > bound() && old.certain());
          writes.add(write);
          return new Entry<>(
              new InstanceView<>(
                  written, change.replay(entry.view().interfaces()), Freshness.doubtful(writes)),
              List.copyOf(writes),
              entry.readGeneration());
        });
    return written;
  }

  /**
   * The counter up to which reads of every instance, the oldest begun at {@code generation}, show
   * own writes: less while they cannot tell what became of a request with a lost response (13 D-2).
   */
  public long covered(long generation) {
    long covered = generation;
    for (Entry<I> entry : entries.values()) {
      for (OwnWrite<I> write : entry.writes()) {
        if (!Freshness.settled(write)) {
          covered = Math.min(covered, write.generation() - 1);
        }
      }
    }
    return covered;
  }

  /**
   * Records that a read did not find an instance.
   *
   * @param certain the cloud confirmed that it is gone
   * @return whether it counts as gone now: confirmed, never seen, or not found twice with the
   *     horizon in between
   */
  public boolean notFound(ReadMark mark, InstanceId id, boolean certain) {
    Entry<I> entry = entries.get(id);
    boolean unseen = entry == null;
    if (!certain && entry != null && isOlder(mark, entry)) {
      return false;
    }
    Absence absence =
        absences.compute(
            id,
            (key, old) -> {
              long since = old == null ? mark.nanos() : old.sinceNanos();
              boolean twice = old != null && mark.nanos() - since >= freshness.horizon().toNanos();
              boolean consistent = freshness.horizon().isZero();
              return new Absence(since, certain || unseen || twice || consistent);
            });
    if (absence.certain()) {
      entries.remove(id);
    }
    return absence.certain();
  }

  /** Whether an own write, or a read that found the instance, began after this read. */
  private static boolean isOlder(ReadMark mark, Entry<?> entry) {
    return Math.max(entry.view().generation(), entry.readGeneration()) > mark.generation();
  }

  private long bound() {
    return freshness.overlayExpiry().toNanos() + freshness.horizon().toNanos();
  }
}
