package io.tidemark.resilience;

/**
 * The meaning of errors of one cloud's client. Pure and thread-safe; implemented by the provider.
 */
@FunctionalInterface
public interface FailureClassifier {
  /**
   * Classifies what the leaf threw. Must return a failure for every throwable, {@link
   * Failure.Kind#LOST} if the effect of the request is unknown.
   */
  Failure classify(CallKind kind, Throwable thrown);

  /**
   * Whether every other request of the account would fail in the same way, as with invalid
   * credentials. Such failures open the account's circuit breaker although the cloud responds.
   */
  default boolean stopsAccount(Failure failure) {
    return false;
  }

  /**
   * Whether a throttle says that the kind's own limit was reached, and not the one that it shares
   * with other kinds ({@link SharedLimit}).
   */
  default boolean isOwnLimit(Failure throttle) {
    return false;
  }
}
