package io.tidemark.provider.mock.cloud;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Faults by rules, and reads that lag by a random time. The first rule that matches a request and
 * is due decides. Thread-safe.
 */
public final class FaultScript implements FaultPlan {
  private final List<FaultRule> rules;
  private final long[] matches;
  private final Duration stalenessMax;
  private final RandomGenerator random;

  /**
   * A script.
   *
   * @param stalenessMax every read lags by a random time up to it
   * @param random seeded; used under this object's lock alone
   */
  public FaultScript(List<FaultRule> rules, Duration stalenessMax, RandomGenerator random) {
    this.rules = List.copyOf(rules);
    this.matches = new long[rules.size()];
    this.stalenessMax = Objects.requireNonNull(stalenessMax, "stalenessMax");
    this.random = Objects.requireNonNull(random, "random");
  }

  @Override
  public synchronized Fault faultOf(CloudCall call) {
    for (int i = 0; i < matches.length; i++) {
      FaultRule rule = rules.get(i);
      if (rule.concerns(call)) {
        matches[i]++;
        boolean due = matches[i] >= rule.first() && matches[i] - rule.first() < rule.count();
        if (due && (rule.probability() >= 1 || random.nextDouble() < rule.probability())) {
          return rule.fault();
        }
      }
    }
    return Fault.none();
  }

  @Override
  public synchronized Duration lagOf(CloudCall call) {
    return stalenessMax.isZero()
        ? Duration.ZERO
        : Duration.ofNanos(random.nextLong(stalenessMax.toNanos() + 1));
  }
}
