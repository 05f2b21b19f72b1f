package io.tidemark.resilience;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A provider's knowledge of its cloud's API: the limits of each kind of request and the meaning of
 * errors.
 *
 * @param account account and region, or subscription: one bucket set and breaker each
 * @param limits every kind the provider uses; a call of another kind is refused
 * @param shared limits that several of these kinds share; a kind is in one of them at most
 * @param classifier reads the client's errors
 */
public record CallPolicy(
    String account,
    Map<CallKind, CallLimits> limits,
    List<SharedLimit> shared,
    FailureClassifier classifier) {
  public CallPolicy {
    Objects.requireNonNull(account, "account");
    limits = Map.copyOf(limits);
    shared = List.copyOf(shared);
    Objects.requireNonNull(classifier, "classifier");
  }

  /** A policy of kinds that share no limit. */
  public CallPolicy(
      String account, Map<CallKind, CallLimits> limits, FailureClassifier classifier) {
    this(account, limits, List.of(), classifier);
  }

  /** The limit that requests of this kind share with others. */
  Optional<SharedLimit> sharedBy(CallKind kind) {
    return shared.stream().filter(each -> each.kinds().contains(kind)).findFirst();
  }
}
