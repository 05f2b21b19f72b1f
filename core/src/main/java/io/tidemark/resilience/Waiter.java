package io.tidemark.resilience;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Somebody who waits for a token, in one queue or in several at once: the first that has one for it
 * claims it. Thread-safe.
 */
abstract class Waiter {
  private final long deadlineNanos;
  private final AtomicBoolean claimed = new AtomicBoolean();
  private volatile List<Place> places = List.of();
  private volatile long enteredNanos;

  Waiter(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
  }

  /** Called once, outside all locks, by the pump that has a permit for it. */
  abstract void granted(Permit permit);

  /** When it stops waiting. */
  final long deadlineNanos() {
    return deadlineNanos;
  }

  /** When it began to wait. */
  final long enteredNanos() {
    return enteredNanos;
  }

  /** True for exactly one caller: the pump that grants, or whoever makes it leave. */
  final boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  /**
   * Queues it in all of {@code queues} that have room; it may be granted before this returns.
   *
   * @return whether one had room
   */
  final boolean enter(List<TokenQueue> queues, Arrival arrival, Priority priority) {
    List<Place> asked = new ArrayList<>(queues.size());
    for (TokenQueue queue : queues) {
      asked.add(new Place(this, queue, arrival, priority));
    }
    places = asked;
    enteredNanos = queues.get(0).pump().time().nanos();
    boolean found = false;
    for (Place place : asked) {
      found |= place.queue().offer(place);
    }
    if (claimed.get()) {
      withdraw(asked);
    }
    for (TokenQueue queue : queues) {
      queue.pump().run();
    }
    return found;
  }

  /** Gives up all its places; the caller has claimed it. */
  final void leaveAll() {
    withdraw(places);
  }

  /** Gives up all its places; that it waited, in vain, is counted. The caller has claimed it. */
  final void giveUp() {
    if (!places.isEmpty()) {
      places.get(0).queue().waited(this);
    }
    withdraw(places);
  }

  private static void withdraw(List<Place> places) {
    for (Place place : places) {
      place.queue().withdraw(place);
    }
  }

  /** Stands elsewhere from now on, unless it is no longer waiting. */
  final void move(Priority priority) {
    for (Place place : places) {
      place.queue().move(place, priority);
    }
  }
}
