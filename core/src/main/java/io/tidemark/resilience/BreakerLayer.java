package io.tidemark.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.tidemark.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Sends nothing for a while to an API that fails too often. */
final class BreakerLayer implements CallLayer {
  private final TimeSource time;
  private final CircuitBreakers breakers;
  private final CallLayer next;

  BreakerLayer(TimeSource time, CircuitBreakers breakers, CallLayer next) {
    this.time = time;
    this.breakers = breakers;
    this.next = next;
  }

  /** A throttle says nothing about the API's health, nor does what we ended ourselves. */
  private static boolean saysNothing(Ended<?> ended) {
    return ended.byUs() || ended.failedAs(Failure.Kind.THROTTLED);
  }

  /** Whether every request of the account will be refused in the same way. */
  private static boolean stopsAccount(Request<?> request, Ended<?> ended) {
    return ended.result().match(answer -> false, request.classifier()::stopsAccount);
  }

  @Override
  public <T> InFlight start(Request<T> request, Consumer<Ended<T>> end) {
    CircuitBreaker breaker = breakers.of(request.kind());
    if (!breaker.tryAcquirePermission()) {
      end.accept(Ended.byUs(LocalFailures.circuitOpen(request)));
      return InFlight.OVER;
    }
    long began = time.nanos();
    return next.start(
        request,
        ended -> {
          if (saysNothing(ended)) {
            breaker.releasePermission();
          } else if (stopsAccount(request, ended)) {
            // The breaker records every thrown exception as a failure.
            Exception stopped = new IllegalStateException("account stopped");
            breaker.onError(time.nanos() - began, TimeUnit.NANOSECONDS, stopped);
          } else {
            breaker.onResult(time.nanos() - began, TimeUnit.NANOSECONDS, ended);
          }
          end.accept(ended);
        });
  }
}
