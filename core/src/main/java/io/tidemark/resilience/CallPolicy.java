package io.tidemark.resilience;

import java.util.Map;
import java.util.Objects;

/**
 * A provider's knowledge of its cloud's API: the limits of each kind of request and the meaning of
 * errors.
 *
 * @param account account and region, or subscription: one bucket set and breaker each
 * @param limits every kind the provider uses; a call of another kind is refused
 * @param classifier reads the client's errors
 */
public record CallPolicy(
    String account, Map<CallKind, CallLimits> limits, FailureClassifier classifier) {
  public CallPolicy {
    Objects.requireNonNull(account, "account");
    limits = Map.copyOf(limits);
    Objects.requireNonNull(classifier, "classifier");
  }
}
