package io.tidemark.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Leaves an API alone for a while when it fails too often. */
final class BreakerLayer implements CallLayer {
  /** A call's time holds its wait for a token, which says nothing about the cloud. */
  private static final Duration NEVER_SLOW = Duration.ofDays(365);

  private final TimeSource time;
  private final CallLayer next;

  BreakerLayer(TimeSource time, CallLayer next) {
    this.time = time;
    this.next = next;
  }

  /** A breaker that reads {@code time}. */
  static CircuitBreaker breaker(String name, CloudCallsConfig.Breaker config, TimeSource time) {
    return CircuitBreaker.of(
        name,
        CircuitBreakerConfig.custom()
            .slidingWindowType(SlidingWindowType.COUNT_BASED)
            .slidingWindowSize(config.window())
            .minimumNumberOfCalls(config.minimumCalls())
            .failureRateThreshold(config.failurePercent())
            .slowCallDurationThreshold(NEVER_SLOW)
            .waitDurationInOpenState(config.open())
            .permittedNumberOfCallsInHalfOpenState(config.probes())
            .recordResult(result -> result instanceof Ended<?> ended && isFailure(ended))
            .clock(new MonotonicClock(time))
            .build());
  }

  /** Whether a call may go out; asked again when its token has come. */
  static boolean isOpen(CircuitBreaker breaker) {
    return breaker.getState() == State.OPEN && !mayEnter(breaker);
  }

  /** Asks without going through. */
  static boolean mayEnter(CircuitBreaker breaker) {
    boolean may = breaker.tryAcquirePermission();
    if (may) {
      breaker.releasePermission();
    }
    return may;
  }

  /** Silence and errors on the cloud's side; a refusal with a reason is an API that works. */
  private static boolean isFailure(Ended<?> ended) {
    return ended
        .result()
        .match(
            answer -> false,
            f -> f.kind() == Failure.Kind.TRANSIENT || f.kind() == Failure.Kind.LOST);
  }

  /** A throttle says nothing about health, what we ended ourselves neither. */
  private static boolean saysNothing(Ended<?> ended) {
    return ended.byUs()
        || ended.result().match(answer -> false, f -> f.kind() == Failure.Kind.THROTTLED);
  }

  /** A refusal that every request of the account will get. */
  private static boolean stopsAccount(Request<?> request, Ended<?> ended) {
    return ended.result().match(answer -> false, request.classifier()::stopsAccount);
  }

  @Override
  public <T> InFlight start(Request<T> request, Consumer<Ended<T>> end) {
    CircuitBreaker breaker = request.queue().breaker();
    if (!breaker.tryAcquirePermission()) {
      end.accept(Ended.byUs(Refusals.circuitOpen(request)));
      return InFlight.OVER;
    }
    long began = time.nanos();
    return next.start(
        request,
        ended -> {
          if (saysNothing(ended)) {
            breaker.releasePermission();
          } else if (stopsAccount(request, ended)) {
            // The breaker records every thrown thing as a failure.
            Exception stopped = new IllegalStateException("account stopped");
            breaker.onError(time.nanos() - began, TimeUnit.NANOSECONDS, stopped);
          } else {
            breaker.onResult(time.nanos() - began, TimeUnit.NANOSECONDS, ended);
          }
          end.accept(ended);
        });
  }
}
