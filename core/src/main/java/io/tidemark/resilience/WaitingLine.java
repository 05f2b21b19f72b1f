package io.tidemark.resilience;

import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Who waits for one kind of token, in the order of performance E2.3. Every operation is O(log n).
 * Not thread-safe: guarded by the queue's lock.
 */
final class WaitingLine {
  private final Map<Urgency, NavigableSet<Place>> classes = new EnumMap<>(Urgency.class);
  private final NavigableSet<Place> lifts = new TreeSet<>(Place.BY_LIFT);
  private int size;
  private int waiting;

  WaitingLine() {
    for (Urgency urgency : Urgency.values()) {
      classes.put(urgency, new TreeSet<>(urgency.order()));
    }
  }

  int size() {
    return size;
  }

  void add(Place place, long nanos) {
    place.settle(nanos);
    place.stand(true);
    of(place.urgency()).add(place);
    size++;
    waiting |= place.urgency().bit();
    if (place.urgency().ages()) {
      lifts.add(place);
    }
  }

  /** False when it was not in the line. */
  boolean remove(Place place) {
    if (!place.isStanding()) {
      return false;
    }
    place.stand(false);
    NavigableSet<Place> peers = of(place.urgency());
    peers.remove(place);
    size--;
    if (peers.isEmpty()) {
      waiting &= ~place.urgency().bit();
    }
    if (place.urgency().ages()) {
      lifts.remove(place);
    }
    return true;
  }

  /** The classes in which somebody waits at {@code nanos}, a set of {@link Urgency#bit}s. */
  int waiting(long nanos) {
    while (!lifts.isEmpty() && lifts.first().liftNanos() - nanos <= 0) {
      Place due = lifts.first();
      remove(due);
      add(due, nanos);
    }
    return waiting;
  }

  /** Who goes first in one class. */
  Optional<Place> first(Urgency urgency) {
    NavigableSet<Place> peers = of(urgency);
    return peers.isEmpty() ? Optional.empty() : Optional.of(peers.first());
  }

  @SuppressWarnings("NullAway") // every class has its set from the beginning
  private NavigableSet<Place> of(Urgency urgency) {
    return classes.get(urgency);
  }
}
