package io.tidemark.resilience;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.tidemark.metrics.CloudApiMetrics;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One kind of request of one account: its bucket, its share of the workers, and who waits. A {@link
 * Pump} moves waiters out. Thread-safe; its lock guards the line alone and is held for O(log n)
 * steps, never while anything else is called.
 */
final class TokenQueue {
  private final CallKind kind;
  private final int bound;
  private final BucketLimiter bucket;
  private final Bulkhead workers;
  private final CircuitBreaker breaker;
  private final Pump pump;
  private final CallCounters.Count count;
  private final CloudApiMetrics metrics;
  private final Object lock = new Object();
  private final WaitingLine line = new WaitingLine();
  private final Set<Permit> reserved = new LinkedHashSet<>();

  /** The parts that a queue is made of. */
  record Parts(
      CallKind kind,
      int bound,
      BucketLaw law,
      Optional<LearnedRates.Estimate> learned,
      Bulkhead workers,
      CircuitBreaker breaker,
      CallCounters.Count count) {}

  TokenQueue(String name, Parts parts, Pump pump, CloudApiMetrics metrics) {
    this.kind = parts.kind();
    this.bound = parts.bound();
    this.workers = parts.workers();
    this.breaker = parts.breaker();
    this.count = parts.count();
    this.pump = pump;
    this.metrics = metrics;
    long now = pump.time().nanos();
    AdaptiveBucket initial =
        parts
            .learned()
            .filter(estimate -> parts.law().adapts())
            .map(e -> AdaptiveBucket.learned(parts.law(), e.callsPerSecond(), now))
            .orElseGet(() -> AdaptiveBucket.full(parts.law(), now));
    this.bucket = new BucketLimiter(name, initial, pump.time(), this::size);
  }

  CallKind kind() {
    return kind;
  }

  BucketLimiter bucket() {
    return bucket;
  }

  CircuitBreaker breaker() {
    return breaker;
  }

  CallCounters.Count count() {
    return count;
  }

  Pump pump() {
    return pump;
  }

  int size() {
    synchronized (lock) {
      return line.size();
    }
  }

  /** Queues a place; false when the queue is full. The caller runs the pump afterwards. */
  boolean offer(Place place) {
    long now = pump.time().nanos();
    synchronized (lock) {
      if (line.size() >= bound) {
        return false;
      }
      line.add(place, now);
      return true;
    }
  }

  /** Frees a place at once. */
  void withdraw(Place place) {
    boolean last;
    synchronized (lock) {
      last = line.remove(place) && line.size() == 0;
    }
    if (last) {
      pump.run();
    }
  }

  /** Moves a place that is still taken. */
  void move(Place place, Priority priority) {
    long now = pump.time().nanos();
    synchronized (lock) {
      if (line.remove(place)) {
        place.prioritize(priority);
        line.add(place, now);
      }
    }
  }

  /** The classes that wait here and could be served now; none without a token or a worker. */
  int servable(long nanos, Turns turns) {
    int waiting;
    synchronized (lock) {
      waiting = line.waiting(nanos);
    }
    int served = waiting == 0 ? 0 : servable(waiting, turns);
    if (waiting == 0 || served != 0) {
      return served;
    }
    reclaim(nanos);
    return servable(waiting, turns);
  }

  private int servable(int waiting, Turns turns) {
    if (!hasWorker()) {
      return 0;
    }
    AdaptiveBucket now = bucket.bucket();
    if (now.hasToken()) {
      return waiting;
    }
    return now.hasTokenFor(Urgency.PODS_WAITING) && turns.arePods(waiting)
        ? Urgency.PODS_WAITING.bit()
        : 0;
  }

  private boolean hasWorker() {
    return workers.getMetrics().getAvailableConcurrentCalls() > 0;
  }

  /** Who goes first in one class, without moving it. */
  Optional<Place> first(Urgency urgency) {
    synchronized (lock) {
      return line.first(urgency);
    }
  }

  /** Takes out who goes first in one class; empty when all of them have left meanwhile. */
  Optional<Waiter> poll(Urgency urgency) {
    while (true) {
      Waiter waiter;
      synchronized (lock) {
        Optional<Place> first = line.first(urgency);
        if (first.isEmpty()) {
          return Optional.empty();
        }
        line.remove(first.get());
        waiter = first.get().waiter();
      }
      if (waiter.claim()) {
        waiter.leaveAll();
        return Optional.of(waiter);
      }
    }
  }

  /**
   * Sets aside what one request of this class needs; followed by {@link #permit} or {@link
   * #release}.
   */
  boolean tryReserve(Urgency urgency) {
    if (!bucket.tryReserve(urgency)) {
      return false;
    }
    if (!workers.tryAcquirePermission()) {
      bucket.giveBack();
      return false;
    }
    return true;
  }

  /** What was set aside, for {@code waiter}. */
  Permit permit(Waiter waiter) {
    waited(waiter);
    Permit permit = new Permit(this, waiter.deadlineNanos());
    synchronized (lock) {
      reserved.add(permit);
    }
    return permit;
  }

  /** Tells how long somebody waited, who waits no longer. */
  void waited(Waiter waiter) {
    long waited = pump.time().nanos() - waiter.enteredNanos();
    metrics.rateLimited(kind.name(), Duration.ofNanos(waited));
  }

  /** Nobody wants what was set aside. */
  void release() {
    bucket.giveBack();
    workers.releasePermission();
  }

  void spent(Permit permit) {
    bucket.spend();
    pump.ceiling().ifPresent(BucketLimiter::spend);
    forget(permit);
  }

  void returned(Permit permit) {
    forget(permit);
    release();
    pump.ceiling().ifPresent(BucketLimiter::giveBack);
    pump.run();
  }

  /** A worker is free again; the caller runs the pump once its own caller knows the answer. */
  void finished() {
    workers.onComplete();
  }

  private void forget(Permit permit) {
    synchronized (lock) {
      reserved.remove(permit);
    }
  }

  /** Takes back what nobody can use any more, so that a forgotten permit blocks nobody for long. */
  private void reclaim(long nanos) {
    List<Permit> expired;
    synchronized (lock) {
      expired = reserved.stream().filter(p -> p.expiresNanos() - nanos <= 0).toList();
    }
    expired.forEach(Permit::giveBack);
  }

  /** What the cloud's answer says about its bucket. */
  void learn(boolean throttled) {
    if (throttled) {
      count.throttled();
      bucket.throttled();
    } else {
      bucket.succeeded();
    }
    AdaptiveBucket now = bucket.bucket();
    if (now.law().adapts()) {
      metrics.rate(kind.name(), now.perSecond());
    }
  }

  /** When it makes sense to look again though nothing else happens. */
  OptionalLong nextNanos(long nanos, Turns turns) {
    OptionalLong expiry;
    int waiting;
    synchronized (lock) {
      if (line.size() == 0) {
        return OptionalLong.empty();
      }
      waiting = line.waiting(nanos);
      expiry = reserved.stream().mapToLong(Permit::expiresNanos).min();
    }
    if (!hasWorker()) {
      return expiry;
    }
    AdaptiveBucket now = bucket.bucket();
    Urgency next = turns.next(waiting);
    return now.mostFor(next) < 1 ? expiry : OptionalLong.of(nanos + now.nanosToTokenFor(next));
  }
}
