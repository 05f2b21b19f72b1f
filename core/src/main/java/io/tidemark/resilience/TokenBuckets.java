package io.tidemark.resilience;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.FailureClassifier.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The buckets of which one request of a kind takes a token each: the kind's own and the one that it
 * shares with others, if there is one. Thread-safe.
 */
final class TokenBuckets {
  private final LearnedBucket own;
  private final Optional<LearnedBucket> shared;
  private final List<LearnedBucket> all;

  TokenBuckets(LearnedBucket own, Optional<LearnedBucket> shared) {
    this.own = own;
    this.shared = shared;
    this.all = Stream.concat(Stream.of(own), shared.stream()).toList();
  }

  LearnedBucket own() {
    return own;
  }

  /** Whether each has a token for one of this class. */
  boolean haveTokenFor(Urgency urgency) {
    for (LearnedBucket each : all) {
      if (!each.bucket().hasTokenFor(urgency)) {
        return false;
      }
    }
    return true;
  }

  /** Reserves a token of each, if all have one for this class. */
  boolean tryReserve(Urgency urgency) {
    if (!own.tryReserve(urgency)) {
      return false;
    }
    if (shared.isPresent() && !shared.get().tryReserve(urgency)) {
      own.giveBack();
      return false;
    }
    return true;
  }

  /** The reserved tokens are used. */
  void spend() {
    all.forEach(each -> each.spend());
  }

  /** The reserved tokens are not wanted. */
  void giveBack() {
    all.forEach(each -> each.giveBack());
  }

  /**
   * How long until all have a token for one of this class when nothing else happens; empty when one
   * cannot have any while others keep what they reserved.
   */
  OptionalLong nanosToTokenFor(Urgency urgency) {
    long nanos = 0;
    for (LearnedBucket each : all) {
      AdaptiveBucket now = each.bucket();
      if (now.mostFor(urgency) < 1) {
        return OptionalLong.empty();
      }
      nanos = Math.max(nanos, now.nanosToTokenFor(urgency));
    }
    return OptionalLong.of(nanos);
  }

  /** The cloud let a request through. */
  void succeeded(Meters metrics) {
    all.forEach(each -> each.succeeded());
    report(metrics);
  }

  /**
   * The cloud asked us to slow down.
   *
   * @param reached which of its limits
   */
  void throttled(Optional<Duration> retryAfter, Limit reached, Meters metrics) {
    switch (reached) {
      case SHARED -> shared.orElse(own).throttled(retryAfter);
      case KIND -> own.throttled(retryAfter);
      case RESOURCE -> {}
    }
    report(metrics);
  }

  private void report(Meters metrics) {
    for (LearnedBucket each : all) {
      each.estimate()
          .ifPresent(
              now -> metrics.gauge(Metric.API_RATE, now.operation()).set(now.callsPerSecond()));
    }
  }
}
