package io.tidemark.resilience;

/** What an error of one cloud's client means. Pure and thread-safe; implemented by the provider. */
@FunctionalInterface
public interface FailureClassifier {
  /**
   * Reads what the leaf threw. Must answer for everything, {@link Failure.Kind#LOST} when it cannot
   * tell whether the request had its effect.
   */
  Failure classify(CallKind kind, Throwable thrown);

  /**
   * Whether every other request of the account must end like this one, as with bad credentials.
   * Such failures open the account's circuit breaker although the cloud answers.
   */
  default boolean stopsAccount(Failure failure) {
    return false;
  }
}
