package io.tidemark.resilience;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.tidemark.resilience.CallLayer.Ended;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Which failures may be repeated, and the pause before each repetition, for Resilience4j. */
final class RetryRule {
  private RetryRule() {}

  /**
   * The retry of one kind. Its pauses are drawn from {@code random}; waiting is the caller's.
   *
   * @param random safe for use by several threads
   */
  static Retry retry(
      String name,
      CallKind kind,
      int attempts,
      CloudCallsConfig.Retries retries,
      RandomGenerator random) {
    IntervalFunction usual = bound(retries.base(), retries.cap());
    IntervalFunction throttled = bound(retries.throttleBase(), retries.cap());
    RetryConfig config =
        RetryConfig.<Ended<?>>custom()
            .maxAttempts(attempts)
            .retryOnResult(ended -> mayRepeat(kind, ended))
            .retryOnException(thrown -> false)
            .intervalBiFunction(
                (attempt, ended) -> {
                  Failure failure = failure(ended);
                  boolean slow = failure.kind() == Failure.Kind.THROTTLED;
                  long most = (slow ? throttled : usual).apply(attempt);
                  long jittered = (long) (random.nextDouble() * (most + 1));
                  return Math.max(jittered, asked(failure));
                })
            .build();
    return Retry.of(name, config);
  }

  private static IntervalFunction bound(Duration base, Duration cap) {
    return IntervalFunction.ofExponentialBackoff(base, 2, cap);
  }

  private static Failure failure(Either<Throwable, Ended<?>> ended) {
    return ended
        .get()
        .result()
        .match(
            answer -> {
              throw new IllegalStateException("an answer is not repeated");
            },
            failed -> failed);
  }

  private static long asked(Failure failure) {
    return failure.retryAfter().map(Duration::toMillis).orElse(0L);
  }

  /** Whether sending the same request once more can do no harm and may help. */
  static boolean mayRepeat(CallKind kind, Ended<?> ended) {
    return !ended.byUs()
        && ended
            .result()
            .match(
                answer -> false,
                failure ->
                    switch (failure.kind()) {
                      case THROTTLED, TRANSIENT -> true;
                      case LOST -> kind.effect() != CallKind.Effect.ONCE;
                      case CAPACITY, CONFLICT, NOT_FOUND, NOT_RUNNING, CONFIGURATION, CANCELLED ->
                          false;
                    });
  }

  /**
   * The meaning of a failure after an earlier attempt's effect is unknown: nearly all kinds claim
   * that nothing changed, which nobody can know any more. That a thing does not exist stays true.
   */
  static Failure afterLoss(Request<?> request, Failure last) {
    return switch (last.kind()) {
      case LOST, NOT_FOUND -> last;
      default -> LocalFailures.lostBefore(request, last);
    };
  }
}
