package io.tidemark.resilience;

import io.tidemark.resilience.CallContext.Arrival;
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
  private volatile List<QueueEntry> entries = List.of();
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
    List<QueueEntry> asked = new ArrayList<>(queues.size());
    for (TokenQueue queue : queues) {
      asked.add(new QueueEntry(this, queue, arrival, priority));
    }
    entries = asked;
    enteredNanos = queues.get(0).nanos();
    boolean found = false;
    for (QueueEntry entry : asked) {
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

  private static void withdraw(List<QueueEntry> entries) {
    for (QueueEntry entry : entries) {
      entry.queue().withdraw(entry);
    }
  }

  /** Changes its priority in all queues where it still waits. */
  final void move(Priority priority) {
    for (QueueEntry entry : entries) {
      entry.queue().move(entry, priority);
    }
  }
}
