package io.tidemark.config;

import java.time.Duration;
import java.util.Objects;

/**
 * Scans, passes and writes.
 *
 * @param parallelCalls requests on their way to the cloud at a time, 1 or more
 * @param prefixDelegation whole blocks are asked for where possible
 * @param backgroundSyncInterval pause between two full scans
 * @param notRunningGrace pause before a stopped instance is tried again
 * @param overlayExpiry how long own writes outweigh the cloud's contradicting answers
 * @param syncAttempts tries of one write of a resource, 1 or more
 * @param passTimeout bound of one change of the cloud from its turn on, or of one read of it,
 *     repeats included
 * @param storeTimeout bound of one request to the store
 */
public record EngineConfig(
    int parallelCalls,
    boolean prefixDelegation,
    Duration backgroundSyncInterval,
    Duration notRunningGrace,
    Duration overlayExpiry,
    int syncAttempts,
    Duration passTimeout,
    Duration storeTimeout) {
  public EngineConfig {
    Objects.requireNonNull(backgroundSyncInterval, "backgroundSyncInterval");
    Objects.requireNonNull(notRunningGrace, "notRunningGrace");
    Objects.requireNonNull(overlayExpiry, "overlayExpiry");
    Objects.requireNonNull(passTimeout, "passTimeout");
    Objects.requireNonNull(storeTimeout, "storeTimeout");
    if (parallelCalls < 1 || syncAttempts < 1) {
      throw new IllegalArgumentException(
          "parallelCalls is " + parallelCalls + ", syncAttempts " + syncAttempts + "; expected 1+");
    }
  }

  EngineConfig withPassTimeout(Duration other) {
    return new EngineConfig(
        parallelCalls,
        prefixDelegation,
        backgroundSyncInterval,
        notRunningGrace,
        overlayExpiry,
        syncAttempts,
        other,
        storeTimeout);
  }

  static EngineConfig read(ConfigReader reader) {
    return new EngineConfig(
        Math.max(1, CoreKey.PARALLEL_ALLOC_WORKERS.read(reader)),
        CoreKey.ENABLE_PREFIX_DELEGATION.read(reader),
        CoreKey.BACKGROUND_SYNC_INTERVAL.read(reader),
        CoreKey.NOT_RUNNING_GRACE.read(reader),
        CoreKey.OVERLAY_EXPIRY.read(reader),
        CoreKey.SYNC_ATTEMPTS.read(reader),
        CoreKey.PASS_TIMEOUT.read(reader),
        CoreKey.STORE_TIMEOUT.read(reader));
  }
}
