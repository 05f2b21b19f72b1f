package io.tidemark.resilience;

import java.util.Objects;
import java.util.Set;

/**
 * A bucket of the cloud that several kinds of requests share, in addition to their own limits: each
 * attempt takes a token of both. Its refill is learned where the cloud gives less, and never
 * believed to be higher.
 *
 * @param name what the bucket is called in metrics and {@link LearnedRates}; no kind's name
 * @param callsPerSecond the cloud's documented refill
 * @param burst the cloud's documented bucket size
 * @param kinds which share it
 */
public record SharedLimit(String name, double callsPerSecond, int burst, Set<CallKind> kinds) {
  public SharedLimit {
    Objects.requireNonNull(name, "name");
    CallLimits.require(callsPerSecond > 0, "calls-per-second", callsPerSecond, "above 0");
    CallLimits.require(burst >= 1, "burst", burst, "1 or more");
    kinds = Set.copyOf(kinds);
  }
}
