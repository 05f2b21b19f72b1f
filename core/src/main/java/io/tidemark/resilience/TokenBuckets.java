package io.tidemark.resilience;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.FailureClassifier.Limit;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The buckets of which one request of a kind takes a token each: the kind's own and the one that it
 * shares with others, if there is one. Thread-safe.
 */
final class TokenBuckets {
  private final Learned own;
  private final Optional<Learned> shared;
  private final List<Learned> all;

  /**
   * A bucket with the name under which its refill is learned.
   *
   * @param operation the kind, or the name of the shared limit
   */
  record Learned(String account, String operation, BucketLimiter limiter) {
    /** A full bucket, or one with the refill that an earlier leader learned. */
    static Learned of(
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
      return new Learned(
          account, operation, new BucketLimiter(account + "/" + operation, initial, time, waiting));
    }

    /** How it stands. */
    BucketState state() {
      AdaptiveBucket now = limiter.bucket();
      return new BucketState(
          account,
          operation,
          now.tokens(),
          now.capacity(),
          now.perSecond(),
          limiter.getMetrics().getNumberOfWaitingThreads(),
          now.throttles().recent(),
          Duration.ofNanos(Math.max(0, now.closedUntilNanos() - now.atNanos())));
    }

    /** The learned rate; empty when it does not adapt. */
    Optional<LearnedRates.Estimate> estimate() {
      AdaptiveBucket now = limiter.bucket();
      return now.rules().adapts()
          ? Optional.of(new LearnedRates.Estimate(account, operation, now.perSecond()))
          : Optional.empty();
    }
  }

  TokenBuckets(Learned own, Optional<Learned> shared) {
    this.own = own;
    this.shared = shared;
    this.all = Stream.concat(Stream.of(own), shared.stream()).toList();
  }

  /** The kind's own bucket. */
  Learned own() {
    return own;
  }

  /** Whether each has a token for one of this class. */
  boolean haveTokenFor(Urgency urgency) {
    for (Learned each : all) {
      if (!each.limiter().bucket().hasTokenFor(urgency)) {
        return false;
      }
    }
    return true;
  }

  /** Reserves a token of each, if all have one for this class. */
  boolean tryReserve(Urgency urgency) {
    if (!own.limiter().tryReserve(urgency)) {
      return false;
    }
    if (shared.isPresent() && !shared.get().limiter().tryReserve(urgency)) {
      own.limiter().giveBack();
      return false;
    }
    return true;
  }

  /** The reserved tokens are used. */
  void spend() {
    all.forEach(each -> each.limiter().spend());
  }

  /** The reserved tokens are not wanted. */
  void giveBack() {
    all.forEach(each -> each.limiter().giveBack());
  }

  /**
   * How long until all have a token for one of this class when nothing else happens; empty when one
   * cannot have any while others keep what they reserved.
   */
  OptionalLong nanosToTokenFor(Urgency urgency) {
    long nanos = 0;
    for (Learned each : all) {
      AdaptiveBucket now = each.limiter().bucket();
      if (now.mostFor(urgency) < 1) {
        return OptionalLong.empty();
      }
      nanos = Math.max(nanos, now.nanosToTokenFor(urgency));
    }
    return OptionalLong.of(nanos);
  }

  /** The cloud let a request through. */
  void succeeded(Meters metrics) {
    all.forEach(each -> each.limiter().succeeded());
    report(metrics);
  }

  /**
   * The cloud asked us to slow down.
   *
   * @param reached which of its limits
   */
  void throttled(Optional<Duration> retryAfter, Limit reached, Meters metrics) {
    switch (reached) {
      case SHARED -> shared.orElse(own).limiter().throttled(retryAfter);
      case KIND -> own.limiter().throttled(retryAfter);
      case RESOURCE -> {}
    }
    report(metrics);
  }

  private void report(Meters metrics) {
    for (Learned each : all) {
      each.estimate()
          .ifPresent(
              now -> metrics.gauge(Metric.API_RATE, now.operation()).set(now.callsPerSecond()));
    }
  }
}
