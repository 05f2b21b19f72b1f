package io.tidemark.resilience;

import io.tidemark.resilience.CallContext.Arrival;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Somebody who waits for a token, in one queue or in several at once: the first that has one for it
 * claims it. Thread-safe.
 */
abstract class Waiter {
  private final long deadlineNanos;
  private final AtomicBoolean claimed = new AtomicBoolean();
  private volatile List<Entry> entries = List.of();
  private volatile long enteredNanos;

  Waiter(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
  }

  /** Called once, outside all locks, by the dispatcher that has a permit for it. */
  abstract void granted(Permit permit);

  /** When it stops waiting. */
  final long deadlineNanos() {
    return deadlineNanos;
  }

  /** When it began to wait. */
  final long enteredNanos() {
    return enteredNanos;
  }

  /** True for exactly one caller: the dispatcher that grants, or whoever makes it leave. */
  final boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  /**
   * Queues it in all of {@code queues} that have room; it may be granted before this returns.
   *
   * @return whether one had room
   */
  final boolean enter(List<TokenQueue> queues, Arrival arrival, Priority priority) {
    List<Entry> asked = new ArrayList<>(queues.size());
    for (TokenQueue queue : queues) {
      asked.add(new Entry(this, queue, arrival, priority));
    }
    entries = asked;
    enteredNanos = queues.get(0).nanos();
    boolean found = false;
    for (Entry entry : asked) {
      found |= entry.queue().offer(entry);
    }
    if (claimed.get()) {
      withdraw(asked);
    }
    for (TokenQueue queue : queues) {
      queue.dispatch();
    }
    return found;
  }

  /** Leaves all queues; the caller has claimed it. */
  final void leaveAll() {
    withdraw(entries);
  }

  /** Leaves all queues; that it waited, in vain, is counted. The caller has claimed it. */
  final void giveUp() {
    if (!entries.isEmpty()) {
      entries.get(0).queue().waited(this);
    }
    withdraw(entries);
  }

  private static void withdraw(List<Entry> entries) {
    for (Entry entry : entries) {
      entry.queue().withdraw(entry);
    }
  }

  /** Changes its priority in all queues where it still waits. */
  final void move(Priority priority) {
    for (Entry entry : entries) {
      entry.queue().move(entry, priority);
    }
  }

  /** A waiter in one queue. Guarded by the queue's lock. */
  static final class Entry {
    /** Inside a class: the larger deficit, then the older. */
    private static final Comparator<Entry> BY_NEED =
        Comparator.comparingDouble((Entry entry) -> -entry.priority.relativeDeficit())
            .thenComparingLong(entry -> entry.arrival.sequence());

    private static final Comparator<Entry> BY_AGE =
        Comparator.comparingLong(entry -> entry.arrival.sequence());

    /** The next to be lifted first. */
    static final Comparator<Entry> BY_LIFT =
        Comparator.comparingLong((Entry entry) -> entry.liftNanos)
            .thenComparingLong(entry -> entry.arrival.sequence());

    private final Waiter waiter;
    private final TokenQueue queue;
    private final Arrival arrival;
    private Priority priority;
    private Urgency urgency;
    private long liftNanos;
    private boolean queued;

    Entry(Waiter waiter, TokenQueue queue, Arrival arrival, Priority priority) {
      this.waiter = waiter;
      this.queue = queue;
      this.arrival = arrival;
      this.priority = priority;
      this.urgency = Urgency.of(priority.rank(), 0);
    }

    /** Who goes first inside a class. */
    static Comparator<Entry> order(Urgency urgency) {
      return urgency == Urgency.LIFTED ? BY_AGE : BY_NEED;
    }

    Waiter waiter() {
      return waiter;
    }

    TokenQueue queue() {
      return queue;
    }

    Urgency urgency() {
      return urgency;
    }

    /** Instant of the next lift; meaningful while the urgency ages. */
    long liftNanos() {
      return liftNanos;
    }

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
}
