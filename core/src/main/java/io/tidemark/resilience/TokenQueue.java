package io.tidemark.resilience;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CallLayer.Ended;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One kind of request of one account: its buckets, its share of the workers, and who waits. A
 * {@code TokenDispatcher} takes waiters out. Thread-safe; its lock guards the entries alone and is
 * held for O(log n) steps, never while anything else is called.
 */
final class TokenQueue {
  private final CallKind kind;
  private final int bound;
  private final TokenBuckets buckets;
  private final Bulkhead workers;
  private final Runnable dispatcher;
  private final Optional<LearnedBucket> ceiling;
  private final TimeSource time;
  private final Meters metrics;
  private final Object lock = new Object();
  private final AgingQueue entries = new AgingQueue();
  private final Set<Permit> reserved = new LinkedHashSet<>();

  /**
   * Nobody waits in it yet.
   *
   * @param dispatcher hands out what there is; the same for all queues that share a bucket
   * @param ceiling the limit over all calls
   * @param shared the bucket that the kind shares with others
   */
  TokenQueue(
      String account,
      CallKind kind,
      CallLimits limits,
      Runnable dispatcher,
      Optional<LearnedBucket> ceiling,
      Optional<LearnedBucket> shared,
      CallEnvironment environment) {
    this.kind = kind;
    this.dispatcher = dispatcher;
    this.ceiling = ceiling;
    this.time = environment.time();
    this.metrics = environment.metrics();
    CloudCallsConfig config = environment.config();
    this.bound = config.maxWaiting();
    this.workers =
        Bulkhead.of(
            account + "/" + kind.name(),
            BulkheadConfig.custom()
                .maxConcurrentCalls(config.workersPerKind())
                .maxWaitDuration(Duration.ZERO)
                .fairCallHandlingStrategyEnabled(false)
                .build());
    LearnedBucket own =
        LearnedBucket.of(
            account,
            kind.name(),
            BucketRules.of(config.pacing(), limits),
            environment.learned(),
            time,
            this::size);
    this.buckets = new TokenBuckets(own, shared);
  }

  CallKind kind() {
    return kind;
  }

  long nanos() {
    return time.nanos();
  }

  /** Hands out what there is. */
  void dispatch() {
    dispatcher.run();
  }

  LearnedBucket bucket() {
    return buckets.own();
  }

  int size() {
    synchronized (lock) {
      return entries.size();
    }
  }

  /** Adds an entry; false when the queue is full. The caller dispatches afterwards. */
  boolean offer(Waiter.Entry entry) {
    long now = nanos();
    synchronized (lock) {
      if (entries.size() >= bound) {
        return false;
      }
      entries.add(entry, now);
      return true;
    }
  }

  /** Removes an entry at once. */
  void withdraw(Waiter.Entry entry) {
    boolean last;
    synchronized (lock) {
      last = entries.remove(entry) && entries.size() == 0;
    }
    if (last) {
      dispatcher.run();
    }
  }

  /** Changes the priority of an entry that still waits. */
  void move(Waiter.Entry entry, Priority priority) {
    long now = nanos();
    synchronized (lock) {
      if (entries.remove(entry)) {
        entry.prioritize(priority);
        entries.add(entry, now);
      }
    }
  }

  /** The classes that wait here and could be served now; none without a token or a worker. */
  int servable(long nanos, FairnessPolicy fairness) {
    int waiting;
    synchronized (lock) {
      waiting = entries.waiting(nanos);
    }
    int served = waiting == 0 ? 0 : servable(waiting, fairness);
    if (waiting == 0 || served != 0) {
      return served;
    }
    reclaim(nanos);
    return servable(waiting, fairness);
  }

  private int servable(int waiting, FairnessPolicy fairness) {
    if (!hasWorker()) {
      return 0;
    }
    if (buckets.haveTokenFor(Urgency.BELOW_WATERMARK)) {
      return waiting;
    }
    return buckets.haveTokenFor(Urgency.PODS_WAITING) && fairness.arePods(waiting)
        ? Urgency.PODS_WAITING.bit()
        : 0;
  }

  private boolean hasWorker() {
    return workers.getMetrics().getAvailableConcurrentCalls() > 0;
  }

  /** Who goes first in one class, without moving it. */
  Optional<Waiter.Entry> first(Urgency urgency) {
    synchronized (lock) {
      return entries.first(urgency);
    }
  }

  /** Takes out who goes first in one class; empty when all of them have left meanwhile. */
  Optional<Waiter> poll(Urgency urgency) {
    while (true) {
      Waiter waiter;
      synchronized (lock) {
        Optional<Waiter.Entry> first = entries.first(urgency);
        if (first.isEmpty()) {
          return Optional.empty();
        }
        entries.remove(first.get());
        waiter = first.get().waiter();
      }
      if (waiter.claim()) {
        waiter.leaveAll();
        return Optional.of(waiter);
      }
    }
  }

  /** Sets aside what one request needs; followed by {@link #permit} or {@link #release}. */
  boolean tryReserve(Urgency urgency) {
    if (!buckets.tryReserve(urgency)) {
      return false;
    }
    if (!workers.tryAcquirePermission()) {
      buckets.giveBack();
      return false;
    }
    return true;
  }

  /** The token that was set aside for {@code waiter}. */
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
    long waited = nanos() - waiter.enteredNanos();
    metrics.record(Metric.API_RATE_LIMIT_DURATION, Duration.ofNanos(waited), kind.name());
  }

  /** Nobody wants what was set aside. */
  void release() {
    buckets.giveBack();
    workers.releasePermission();
  }

  void spent(Permit permit) {
    buckets.spend();
    ceiling.ifPresent(LearnedBucket::spend);
    forget(permit);
  }

  void returned(Permit permit) {
    forget(permit);
    release();
    ceiling.ifPresent(LearnedBucket::giveBack);
    dispatcher.run();
  }

  /** A worker is free again; the caller dispatches afterwards. */
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

  /**
   * Every answer that the cloud thought about used up one of its tokens.
   *
   * @param classifier tells whose limit a throttle is about
   */
  void learn(Ended<?> ended, FailureClassifier classifier) {
    Optional<Failure> failure = ended.result().match(answer -> Optional.empty(), Optional::of);
    if (ended.byUs() || failure.map(TokenQueue::saysNothing).orElse(false)) {
      return;
    }
    if (failure.isPresent() && failure.get().kind() == Failure.Kind.THROTTLED) {
      FailureClassifier.Limit reached = classifier.limitOf(failure.get());
      buckets.throttled(failure.get().retryAfter(), reached, metrics);
    } else {
      buckets.succeeded(metrics);
    }
  }

  private static boolean saysNothing(Failure failure) {
    return switch (failure.kind()) {
      case TRANSIENT, LOST, CANCELLED -> true;
      case THROTTLED, CAPACITY, CONFLICT, NOT_FOUND, NOT_RUNNING, CONFIGURATION -> false;
    };
  }

  /** When it makes sense to look again though nothing else happens. */
  OptionalLong nextNanos(long nanos, FairnessPolicy fairness) {
    OptionalLong expiry;
    int waiting;
    synchronized (lock) {
      if (entries.size() == 0) {
        return OptionalLong.empty();
      }
      waiting = entries.waiting(nanos);
      expiry = reserved.stream().mapToLong(Permit::expiresNanos).min();
    }
    if (!hasWorker()) {
      return expiry;
    }
    OptionalLong wait = buckets.nanosToTokenFor(fairness.next(waiting));
    return wait.isEmpty() ? expiry : OptionalLong.of(nanos + wait.getAsLong());
  }
}
