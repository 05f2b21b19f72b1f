package io.tidemark.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.tidemark.metrics.GaugeValue;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CallLayer.Ended;
import io.tidemark.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The circuit breakers of one account: one for reads, one for changes. Thread-safe. */
final class CircuitBreakers {
  /** A call's time holds its wait for a token, which says nothing about the cloud. */
  private static final Duration NEVER_SLOW = Duration.ofDays(365);

  private final CircuitBreaker reads;
  private final CircuitBreaker changes;

  CircuitBreakers(String account, CallEnvironment environment) {
    this.reads = breaker(account, "reads", environment);
    this.changes = breaker(account, "changes", environment);
  }

  private static CircuitBreaker breaker(
      String account, String effect, CallEnvironment environment) {
    CloudCallsConfig.Breaker config = environment.config().breaker();
    CircuitBreaker breaker =
        CircuitBreaker.of(
            account + "/" + effect,
            CircuitBreakerConfig.custom()
                .slidingWindowType(SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(config.window())
                .minimumNumberOfCalls(config.minimumCalls())
                .failureRateThreshold(config.failurePercent())
                .slowCallDurationThreshold(NEVER_SLOW)
                .waitDurationInOpenState(config.open())
                .permittedNumberOfCallsInHalfOpenState(config.probes())
                .recordResult(result -> result instanceof Ended<?> ended && isFailure(ended))
                .clock(new MonotonicClock(environment.time()))
                .build());
    GaugeValue heldBack = environment.metrics().gauge(Metric.API_HELD_BACK, effect);
    heldBack.set(0);
    breaker
        .getEventPublisher()
        .onStateTransition(
            event -> heldBack.set(event.getStateTransition().getToState() == State.CLOSED ? 0 : 1));
    return breaker;
  }

  /** Silence and errors on the cloud's side; a refusal with a reason is an API that works. */
  private static boolean isFailure(Ended<?> ended) {
    return ended.failedAs(Failure.Kind.TRANSIENT) || ended.failedAs(Failure.Kind.LOST);
  }

  /** The breaker that calls of this kind pass. */
  CircuitBreaker of(CallKind kind) {
    return kind.effect() == CallKind.Effect.READ ? reads : changes;
  }

  /** Whether a call would be let through now; takes no permission. */
  boolean mayEnter(CallKind kind) {
    CircuitBreaker breaker = of(kind);
    boolean may = breaker.tryAcquirePermission();
    if (may) {
      breaker.releasePermission();
    }
    return may;
  }

  /** Whether the breaker has opened since a call passed it; asked when the call's token comes. */
  boolean isOpen(CallKind kind) {
    return of(kind).getState() == State.OPEN && !mayEnter(kind);
  }

  /** The monotonic time as the kind of clock that the library asks for; its dates mean nothing. */
  private static final class MonotonicClock extends Clock {
    private final TimeSource time;
    private final long originNanos;

    MonotonicClock(TimeSource time) {
      this.time = time;
      this.originNanos = time.nanos();
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(time.nanos() - originNanos);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    /** Itself: a zone changes nothing about instants. */
    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
