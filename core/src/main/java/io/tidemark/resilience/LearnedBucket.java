package io.tidemark.resilience;

import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/**
 * An {@link AdaptiveBucket} that many threads share, with the name under which its refill is
 * learned. It never waits: a token is there now or refused. Lock-free.
 */
final class LearnedBucket {
  private final String account;
  private final String operation;
  private final TimeSource time;
  private final IntSupplier waiting;
  private final AtomicReference<AdaptiveBucket> state;

  private LearnedBucket(
      String account,
      String operation,
      AdaptiveBucket initial,
      TimeSource time,
      IntSupplier waiting) {
    this.account = account;
    this.operation = operation;
    this.time = time;
    this.waiting = waiting;
    this.state = new AtomicReference<>(initial);
  }

  /**
   * A full bucket, or one with the refill that an earlier leader learned.
   *
   * @param operation the kind, or the name of the shared limit
   * @param waiting how many calls wait for a token at the moment
   */
  static LearnedBucket of(
      String account,
      String operation,
      BucketRules rules,
      LearnedRates learned,
      TimeSource time,
      IntSupplier waiting) {
    long now = time.nanos();
    AdaptiveBucket initial =
        learned
            .of(account, operation)
            .filter(estimate -> rules.adapts())
            .map(estimate -> AdaptiveBucket.learned(rules, estimate.callsPerSecond(), now))
            .orElseGet(() -> AdaptiveBucket.full(rules, now));
    return new LearnedBucket(account, operation, initial, time, waiting);
  }

  /** The bucket now. */
  AdaptiveBucket bucket() {
    return current().at(time.nanos());
  }

  @SuppressWarnings("NullAway") // never set to null
  private AdaptiveBucket current() {
    return state.get();
  }

  BucketState state() {
    AdaptiveBucket now = bucket();
    return new BucketState(
        account,
        operation,
        now.tokens(),
        now.capacity(),
        now.perSecond(),
        waiting.getAsInt(),
        now.throttles().recent(),
        Duration.ofNanos(Math.max(0, now.closedUntilNanos() - now.atNanos())));
  }

  /** The learned rate; empty when it does not adapt. */
  Optional<LearnedRates.Estimate> estimate() {
    AdaptiveBucket now = bucket();
    return now.rules().adapts()
        ? Optional.of(new LearnedRates.Estimate(account, operation, now.perSecond()))
        : Optional.empty();
  }

  /** Reserves a token if there is one for this class. */
  boolean tryReserve(Urgency urgency) {
    long now = time.nanos();
    while (true) {
      AdaptiveBucket before = current();
      AdaptiveBucket moved = before.at(now);
      if (!moved.hasTokenFor(urgency)) {
        return false;
      }
      if (state.compareAndSet(before, moved.reserve())) {
        return true;
      }
    }
  }

  /** A reserved token is used. */
  void spend() {
    change(AdaptiveBucket::spend);
  }

  /** A reserved token is not wanted. */
  void giveBack() {
    change(AdaptiveBucket::giveBack);
  }

  /** The cloud let a call through. */
  void succeeded() {
    change(AdaptiveBucket::succeeded);
  }

  /** The cloud asked us to slow down. */
  void throttled(Optional<Duration> retryAfter) {
    change(bucket -> bucket.throttled(retryAfter));
  }

  private void change(UnaryOperator<AdaptiveBucket> transition) {
    long now = time.nanos();
    state.updateAndGet(bucket -> transition.apply(bucket.at(now)));
  }
}
