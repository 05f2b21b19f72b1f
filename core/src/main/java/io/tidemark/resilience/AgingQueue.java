package io.tidemark.resilience;

import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The entries of one token queue, in the order of performance E2.3; waiting lifts an entry from
 * class to class. Every operation is O(log n). Not thread-safe: guarded by the queue's lock.
 */
final class AgingQueue {
  private final Map<Urgency, NavigableSet<Waiter.Entry>> classes = new EnumMap<>(Urgency.class);
  private final NavigableSet<Waiter.Entry> lifts = new TreeSet<>(Waiter.Entry.BY_LIFT);
  private int size;
  private int waiting;

  AgingQueue() {
    for (Urgency urgency : Urgency.values()) {
      classes.put(urgency, new TreeSet<>(Waiter.Entry.order(urgency)));
    }
  }

  int size() {
    return size;
  }

  void add(Waiter.Entry entry, long nanos) {
    entry.settle(nanos);
    entry.queued(true);
    of(entry.urgency()).add(entry);
    size++;
    waiting |= entry.urgency().bit();
    if (entry.urgency().ages()) {
      lifts.add(entry);
    }
  }

  /** False when it was not in the queue. */
  boolean remove(Waiter.Entry entry) {
    if (!entry.isQueued()) {
      return false;
    }
    entry.queued(false);
    NavigableSet<Waiter.Entry> peers = of(entry.urgency());
    peers.remove(entry);
    size--;
    if (peers.isEmpty()) {
      waiting &= ~entry.urgency().bit();
    }
    if (entry.urgency().ages()) {
      lifts.remove(entry);
    }
    return true;
  }

  /** The classes in which somebody waits at {@code nanos}, a set of {@link Urgency#bit}s. */
  int waiting(long nanos) {
    while (!lifts.isEmpty() && lifts.first().liftNanos() - nanos <= 0) {
      Waiter.Entry due = lifts.first();
      remove(due);
      add(due, nanos);
    }
    return waiting;
  }

  /** Who goes first in one class. */
  Optional<Waiter.Entry> first(Urgency urgency) {
    NavigableSet<Waiter.Entry> peers = of(urgency);
    return peers.isEmpty() ? Optional.empty() : Optional.of(peers.first());
  }

  @SuppressWarnings("NullAway") // every class has its set from the beginning
  private NavigableSet<Waiter.Entry> of(Urgency urgency) {
    return classes.get(urgency);
  }
}
