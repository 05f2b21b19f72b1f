package io.tidemark.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to pause after failures (node-manager 3.1). Attempts count from 1.
 *
 * @param base shortest pause before scaling, above zero
 * @param factor growth per attempt, 1 or more
 * @param cap longest pause, before and after scaling; {@code base} or more
 * @param jitter whether the pause is drawn from base to its bound instead of being the bound
 * @param resetOnSuccess whether a success resets the count (D-14); in the reference it does not
 * @param resetAfter a failure that comes later than this after the previous pause began counts as
 *     the first; above zero
 */
public record BackoffPolicy(
    Duration base,
    double factor,
    Duration cap,
    boolean jitter,
    boolean resetOnSuccess,
    Duration resetAfter) {
  /** Base 1 s, factor 2, cap 5 min, jitter, forgotten by a success or after 10 min. */
  public static final BackoffPolicy DEFAULT =
      new BackoffPolicy(
          Duration.ofSeconds(1), 2, Duration.ofMinutes(5), true, true, Duration.ofMinutes(10));

  /** Between requests about one node: base 250 ms, cap 15 s, the rest as of {@link #DEFAULT}. */
  public static final BackoffPolicy REQUEST =
      new BackoffPolicy(
          Duration.ofMillis(250), 2, Duration.ofSeconds(15), true, true, Duration.ofMinutes(10));

  /** The same, but a success does not reset the count (D-21). */
  public BackoffPolicy referenceCompatible() {
    return new BackoffPolicy(base, factor, cap, jitter, false, resetAfter);
  }

  /**
   * The pause after failure {@code attempt}, longer in larger clusters: up to {@code base × factor^
   * attempt}, drawn if there is jitter, times {@code ln(1 + nodes)}, at most the cap.
   *
   * @param attempt failures so far, from 1
   * @param nodes nodes of the cluster; 0 for no scaling
   */
  public Duration pause(int attempt, int nodes, RandomGenerator random) {
    double least = base.toNanos();
    double most = Math.min(least * Math.pow(factor, attempt), (double) cap.toNanos());
    double drawn = jitter ? least + random.nextDouble() * (most - least) : most;
    Duration scaled = scaled(Duration.ofNanos(Math.round(drawn)), nodes);
    return scaled.compareTo(cap) > 0 ? cap : scaled;
  }

  /** As above without scaling. */
  public Duration pause(int attempt, RandomGenerator random) {
    return pause(attempt, 0, random);
  }

  /**
   * An interval that grows with the logarithm of the cluster (node-manager 5.8): {@code base × ln(1
   * + nodes)}; {@code base} itself without nodes.
   */
  public static Duration scaled(Duration base, int nodes) {
    return nodes <= 0 ? base : Duration.ofNanos(Math.round(base.toNanos() * Math.log1p(nodes)));
  }
}
