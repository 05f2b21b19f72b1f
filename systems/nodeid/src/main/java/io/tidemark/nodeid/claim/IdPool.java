package io.tidemark.nodeid.claim;

import io.tidemark.nodeid.NodeId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The ids without a claim, in the order in which they are given out: the lowest that was never
 * claimed; when there is none, the one that was released longest ago. Mutable; {@link IdLedger}
 * owns it.
 */
final class IdPool {
  private final long capacity;
  private final Predicate<NodeId> taken;
  private final Set<NodeId> reserved = new HashSet<>();

  /** Ids that were claimed once and have no claim, and from when each may be given out again. */
  private final Map<NodeId, Long> released = new LinkedHashMap<>();

  /** No id below was never claimed. */
  private long frontier = 1;

  /** Below the frontier of the notes: no id from 1 to this is free without being in the order. */
  private long passed;

  private long notedFrontier = 1;
  private long reuseFromNanos;

  /** A pool of the ids from 1 to {@code capacity}; those of claims and nodes are {@code taken}. */
  IdPool(long capacity, Predicate<NodeId> taken) {
    this.capacity = capacity;
    this.taken = taken;
  }

  /**
   * Takes over what an earlier leader knew. Before {@code reuseFromNanos} no id is given out that
   * was claimed once: its claim may have been lost a moment ago.
   */
  void begin(IdNotes notes, long reuseFromNanos) {
    this.reuseFromNanos = reuseFromNanos;
    notedFrontier = Math.min(notes.frontier(), capacity + 1);
    frontier = Math.max(frontier, notedFrontier);
    Map<NodeId, Long> known = new LinkedHashMap<>(released);
    released.clear();
    for (NodeId id : notes.released()) {
      if (!taken.test(id)) {
        released.put(id, reuseFromNanos);
      }
    }
    known.forEach(released::putIfAbsent);
  }

  /** Reserves the next id; empty when none can be given out now. */
  Optional<NodeId> reserve(long now) {
    Optional<NodeId> found = never();
    if (found.isEmpty() && now - reuseFromNanos >= 0) {
      found = unnoted();
    }
    if (found.isEmpty()) {
      found =
          released.entrySet().stream()
              .filter(each -> now - each.getValue() >= 0)
              .map(Map.Entry::getKey)
              .filter(id -> id.number() <= capacity && isFree(id))
              .findFirst();
    }
    found.ifPresent(reserved::add);
    return found;
  }

  private Optional<NodeId> never() {
    while (frontier <= capacity) {
      NodeId id = NodeId.of(frontier);
      if (isFree(id) && !released.containsKey(id)) {
        return Optional.of(id);
      }
      frontier++;
    }
    return Optional.empty();
  }

  /** One that was claimed once and of which nobody knows when it was released. */
  private Optional<NodeId> unnoted() {
    while (passed + 1 < notedFrontier) {
      NodeId id = NodeId.of(passed + 1);
      if (isFree(id) && !released.containsKey(id)) {
        return Optional.of(id);
      }
      passed++;
    }
    return Optional.empty();
  }

  private boolean isFree(NodeId id) {
    return !reserved.contains(id) && !taken.test(id);
  }

  /** A reserved id was not claimed by whom it was reserved for. */
  void giveBack(NodeId id) {
    if (reserved.remove(id) && !released.containsKey(id)) {
      if (id.number() < notedFrontier) {
        passed = Math.min(passed, id.number() - 1);
      } else {
        frontier = Math.min(frontier, id.number());
      }
    }
  }

  void claimed(NodeId id) {
    reserved.remove(id);
    released.remove(id);
  }

  void released(NodeId id, long readyNanos) {
    if (id.number() > capacity) {
      return;
    }
    released.remove(id);
    released.put(id, readyNanos);
  }

  /** When an id that was released may be given out; empty when that is not a matter of time. */
  OptionalLong nextReadyNanos(long now) {
    LongStream unnoted =
        passed + 1 < notedFrontier ? LongStream.of(reuseFromNanos) : LongStream.empty();
    return LongStream.concat(unnoted, released.values().stream().mapToLong(Long::longValue))
        .filter(ready -> ready - now > 0)
        .min();
  }

  IdNotes notes() {
    never(); // moves the frontier behind what is claimed by now
    return new IdNotes(frontier, List.copyOf(released.keySet()));
  }

  /** Ids that were never claimed and are not reserved. */
  long neverClaimed(Set<NodeId> claimed) {
    long known =
        Stream.of(claimed, released.keySet(), reserved)
            .flatMap(Set::stream)
            .filter(id -> id.number() >= frontier && id.number() <= capacity)
            .count();
    return Math.max(0, capacity - frontier + 1) - known;
  }

  int reserved() {
    return reserved.size();
  }
}
