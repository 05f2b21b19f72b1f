package io.tidemark.resilience;

import java.util.Comparator;

/** Where one {@link Waiter} stands in one queue. Guarded by the queue's lock. */
final class Place {
  /** Inside a class: the larger deficit, then the older. */
  static final Comparator<Place> BY_NEED =
      Comparator.comparingDouble((Place place) -> -place.priority.relativeDeficit())
          .thenComparingLong(place -> place.arrival.sequence());

  /** The older first. */
  static final Comparator<Place> BY_AGE =
      Comparator.comparingLong(place -> place.arrival.sequence());

  /** The next to be lifted first. */
  static final Comparator<Place> BY_LIFT =
      Comparator.comparingLong((Place place) -> place.liftNanos)
          .thenComparingLong(place -> place.arrival.sequence());

  private final Waiter waiter;
  private final TokenQueue queue;
  private final Arrival arrival;
  private Priority priority;
  private Urgency urgency;
  private long liftNanos;
  private boolean standing;

  Place(Waiter waiter, TokenQueue queue, Arrival arrival, Priority priority) {
    this.waiter = waiter;
    this.queue = queue;
    this.arrival = arrival;
    this.priority = priority;
    this.urgency = Urgency.of(priority.rank(), 0);
  }

  Waiter waiter() {
    return waiter;
  }

  TokenQueue queue() {
    return queue;
  }

  Arrival arrival() {
    return arrival;
  }

  Urgency urgency() {
    return urgency;
  }

  /** Instant of the next lift; meaningful while the urgency ages. */
  long liftNanos() {
    return liftNanos;
  }

  /** Whether it is in the line. */
  boolean isStanding() {
    return standing;
  }

  void stand(boolean inLine) {
    standing = inLine;
  }

  /** Only while the place is in no line. */
  void prioritize(Priority other) {
    priority = other;
  }

  /** Settles its class for {@code nanos}; only while the place is in no line. */
  void settle(long nanos) {
    long waited = Math.max(0, nanos - arrival.nanos());
    long lift = Urgency.LIFT.toNanos();
    urgency = Urgency.of(priority.rank(), waited);
    liftNanos = arrival.nanos() + (waited / lift + 1) * lift;
  }
}
