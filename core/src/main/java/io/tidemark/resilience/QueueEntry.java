package io.tidemark.resilience;

import io.tidemark.resilience.CallContext.Arrival;
import java.util.Comparator;

/** One {@link Waiter} in one queue. Guarded by the queue's lock. */
final class QueueEntry {
  /** Inside a class: the larger deficit, then the older. */
  static final Comparator<QueueEntry> BY_NEED =
      Comparator.comparingDouble((QueueEntry entry) -> -entry.priority.relativeDeficit())
          .thenComparingLong(entry -> entry.arrival.sequence());

  /** The older first. */
  static final Comparator<QueueEntry> BY_AGE =
      Comparator.comparingLong(entry -> entry.arrival.sequence());

  /** The next to be lifted first. */
  static final Comparator<QueueEntry> BY_LIFT =
      Comparator.comparingLong((QueueEntry entry) -> entry.liftNanos)
          .thenComparingLong(entry -> entry.arrival.sequence());

  private final Waiter waiter;
  private final TokenQueue queue;
  private final Arrival arrival;
  private Priority priority;
  private Urgency urgency;
  private long liftNanos;
  private boolean queued;

  QueueEntry(Waiter waiter, TokenQueue queue, Arrival arrival, Priority priority) {
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

  /** Whether it is in the queue. */
  boolean isQueued() {
    return queued;
  }

  void queued(boolean now) {
    queued = now;
  }

  /** Only while the entry is in no queue. */
  void prioritize(Priority other) {
    priority = other;
  }

  /** Sets its class for {@code nanos}; only while the entry is in no queue. */
  void settle(long nanos) {
    long waited = Math.max(0, nanos - arrival.nanos());
    long lift = Urgency.LIFT.toNanos();
    urgency = Urgency.of(priority.rank(), waited);
    liftNanos = arrival.nanos() + (waited / lift + 1) * lift;
  }
}
