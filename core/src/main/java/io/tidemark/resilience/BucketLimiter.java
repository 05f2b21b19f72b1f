package io.tidemark.resilience;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.event.RateLimiterEvent;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnFailureEvent;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnSuccessEvent;
import io.github.resilience4j.ratelimiter.internal.RateLimiterEventProcessor;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AdaptiveBucket} that many threads share, seen by Resilience4j's events and meters as
 * one of its limiters. It never waits: permission is there now or refused. Lock-free.
 */
final class BucketLimiter implements RateLimiter {
  private final String name;
  private final TimeSource time;
  private final IntSupplier waiting;
  private final AtomicReference<AdaptiveBucket> state;
  private final RateLimiterConfig config;
  private final RateLimiterEventProcessor events = new RateLimiterEventProcessor();

  /**
   * @param waiting how many calls wait for a token at the moment
   */
  BucketLimiter(String name, AdaptiveBucket initial, TimeSource time, IntSupplier waiting) {
    this.name = Objects.requireNonNull(name, "name");
    this.time = time;
    this.waiting = waiting;
    this.state = new AtomicReference<>(initial);
    this.config = configOf(initial.rules());
  }

  private static RateLimiterConfig configOf(BucketRules rules) {
    int size = (int) Math.min(Integer.MAX_VALUE, rules.burst());
    return RateLimiterConfig.custom()
        .limitForPeriod(size)
        .limitRefreshPeriod(
            Duration.ofNanos(Math.max(1, (long) (size / rules.seedPerSecond() * 1e9))))
        .timeoutDuration(Duration.ZERO)
        .build();
  }

  /** The bucket now. */
  AdaptiveBucket bucket() {
    return current().at(time.nanos());
  }

  @SuppressWarnings("NullAway") // never set to null
  private AdaptiveBucket current() {
    return state.get();
  }

  /** Reserves a token if there is one for this class. */
  boolean tryReserve(Urgency urgency) {
    return tryTake(1, urgency, UnaryOperator.identity());
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

  private boolean tryTake(int permits, Urgency urgency, UnaryOperator<AdaptiveBucket> each) {
    long now = time.nanos();
    while (true) {
      AdaptiveBucket before = current();
      AdaptiveBucket after = taken(before.at(now), permits, urgency, each);
      if (after == null) {
        publish(RateLimiterOnFailureEvent::new, permits);
        return false;
      }
      if (state.compareAndSet(before, after)) {
        publish(RateLimiterOnSuccessEvent::new, permits);
        return true;
      }
    }
  }

  private static @Nullable AdaptiveBucket taken(
      AdaptiveBucket bucket, int permits, Urgency urgency, UnaryOperator<AdaptiveBucket> each) {
    AdaptiveBucket after = bucket;
    for (int i = 0; i < permits; i++) {
      if (!after.hasTokenFor(urgency)) {
        return null;
      }
      after = each.apply(after.reserve());
    }
    return after;
  }

  private void publish(BiFunction<String, Integer, RateLimiterEvent> event, int permits) {
    if (events.hasConsumers()) {
      events.consumeEvent(event.apply(name, permits));
    }
  }

  @Override
  public boolean acquirePermission(int permits) {
    return tryTake(permits, Urgency.BELOW_WATERMARK, AdaptiveBucket::spend);
  }

  /** Zero when the permission was there, -1 otherwise. */
  @Override
  public long reservePermission(int permits) {
    return acquirePermission(permits) ? 0 : -1;
  }

  @Override
  public void drainPermissions() {
    change(AdaptiveBucket::drained);
  }

  @Override
  public void changeTimeoutDuration(Duration timeout) {
    throw new UnsupportedOperationException(
        name + " never waits; give the call a deadline instead of a timeout of " + timeout);
  }

  @Override
  public void changeLimitForPeriod(int limit) {
    throw new UnsupportedOperationException(
        name + " follows the cloud; change its documented limits instead of setting " + limit);
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public RateLimiterConfig getRateLimiterConfig() {
    return config;
  }

  @Override
  public Map<String, String> getTags() {
    return Map.of();
  }

  @Override
  public Metrics getMetrics() {
    return new Metrics() {
      @Override
      public int getNumberOfWaitingThreads() {
        return waiting.getAsInt();
      }

      @Override
      public int getAvailablePermissions() {
        return (int) Math.min(Integer.MAX_VALUE, bucket().tokens());
      }
    };
  }

  @Override
  public EventPublisher getEventPublisher() {
    return events;
  }
}
