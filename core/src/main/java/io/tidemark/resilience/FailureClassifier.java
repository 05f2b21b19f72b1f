package io.tidemark.resilience;

/** The meaning of errors of one cloud's client. Pure, thread-safe; the provider implements it. */
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

  /** Which limit a throttle is about. */
  default Limit limitOf(Failure throttle) {
    return Limit.SHARED;
  }

  /** A limit of the cloud. */
  enum Limit {
    /** The limit that the kind shares with others ({@link SharedLimit}), or else its own. */
    SHARED,
    /** The kind's own. */
    KIND,
    /** That of the one resource that was asked for: requests about others are not concerned. */
    RESOURCE
  }
}
