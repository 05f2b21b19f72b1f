package io.tidemark.resilience;

/** What an error of one cloud's client means. Pure and thread-safe; implemented by the provider. */
@FunctionalInterface
public interface FailureClassifier {
  /**
   * Reads what the leaf threw. Must answer for everything, {@link Failure.Kind#LOST} when it cannot
   * tell whether the request had its effect.
   */
  Failure classify(CallKind kind, Throwable thrown);
}
