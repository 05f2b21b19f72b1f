package io.tidemark.node;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.config.EngineConfig.MaintenanceConfig;
import io.tidemark.node.config.EngineConfig.ReleaseConfig;
import io.tidemark.time.BackoffPolicy;
import java.time.Duration;

/**
 * Settings of the node manager (node-manager 8); defaults in {@link #defaults()}.
 *
 * @param workers lanes that run at the same time; fewer than one counts as one (5.1)
 * @param maintenance settings of scans, passes and writes
 * @param release settings of the release of addresses (section 4)
 * @param backoff pauses after failures
 * @param referenceCompatible formulas and order of the reference (D-21)
 */
public record NodeManagerConfig(
    int workers,
    MaintenanceConfig maintenance,
    ReleaseConfig release,
    BackoffPolicy backoff,
    boolean referenceCompatible) {
  public NodeManagerConfig {
    workers = Math.max(1, workers);
  }

  /** The settings of {@code config}, with {@code workers} lanes. */
  public static NodeManagerConfig of(EngineConfig config, int workers) {
    return new NodeManagerConfig(
        workers,
        config.maintenance(),
        config.release(),
        config.backoff(),
        config.isReferenceCompatible());
  }

  /** Defaults of node-manager 8, with one worker. */
  public static NodeManagerConfig defaults() {
    return of(EngineConfig.defaults(), 1);
  }

  /** The same settings in the profile of the reference (D-21). */
  public NodeManagerConfig referenceProfile() {
    return new NodeManagerConfig(
        workers, maintenance, release, backoff.referenceCompatible(), true);
  }

  /** The same settings with hysteresis and batches of {@code addresses} or more (D-12). */
  public NodeManagerConfig releasingInBatches(int addresses) {
    return releasing(new ReleaseConfig(release.enabled(), release.delay(), true, addresses));
  }

  /** The same settings with release of surplus after {@code delay}. */
  public NodeManagerConfig releasingAfter(Duration delay) {
    return releasing(new ReleaseConfig(true, delay, release.hysteresis(), release.minBatch()));
  }

  private NodeManagerConfig releasing(ReleaseConfig now) {
    return new NodeManagerConfig(workers, maintenance, now, backoff, referenceCompatible);
  }
}
