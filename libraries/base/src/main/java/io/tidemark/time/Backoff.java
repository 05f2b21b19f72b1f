package io.tidemark.time;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Length of the pause before the next attempt (node-manager 3.1). Pure, but for what it draws. */
public final class Backoff {
  private Backoff() {}

  /**
   * The pause after failure {@code attempt}, longer in larger clusters: up to {@code base × factor^
   * attempt}, drawn when the policy has jitter, times {@code ln(1 + nodes)}, at most the cap.
   *
   * @param attempt failures so far, from 1
   * @param nodes nodes of the cluster; 0 for no scaling
   */
  public static Duration pause(
      BackoffPolicy policy, int attempt, int nodes, RandomGenerator random) {
    return pause(policy, attempt, base -> ClusterSizeInterval.scaled(base, nodes), random);
  }

  /** As above without scaling. */
  public static Duration pause(BackoffPolicy policy, int attempt, RandomGenerator random) {
    return pause(policy, attempt, UnaryOperator.identity(), random);
  }

  /** As above with another way to scale. */
  public static Duration pause(
      BackoffPolicy policy, int attempt, UnaryOperator<Duration> interval, RandomGenerator random) {
    double base = policy.base().toNanos();
    double bound = bound(policy, attempt);
    double drawn = policy.jitter() ? base + random.nextDouble() * (bound - base) : bound;
    Duration scaled = interval.apply(Duration.ofNanos(Math.round(drawn)));
    return scaled.compareTo(policy.cap()) > 0 ? policy.cap() : scaled;
  }

  private static double bound(BackoffPolicy policy, int attempt) {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempt is " + attempt + "; expected 1 or more");
    }
    double grown = policy.base().toNanos() * Math.pow(policy.factor(), attempt);
    return Math.min(grown, (double) policy.cap().toNanos());
  }
}
