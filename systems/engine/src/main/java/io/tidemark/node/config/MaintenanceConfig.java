package io.tidemark.node.config;

import io.tidemark.config.ConfigReader;
import io.tidemark.config.SharedKey;
import java.time.Duration;
import java.util.Objects;

/**
 * Scans, passes and writes.
 *
 * @param parallelCalls requests to the cloud in flight at a time, 1 or more
 * @param prefixDelegation whole blocks are requested where possible
 * @param backgroundSyncInterval pause between two full scans
 * @param notRunningGrace pause before a stopped instance is tried again
 * @param syncAttempts attempts of one write of a resource, 1 or more
 * @param passTimeout timeout of one change of the cloud from its turn on, or of one read of it,
 *     retries included
 * @param storeTimeout timeout of one request to the store
 */
public record MaintenanceConfig(
    int parallelCalls,
    boolean prefixDelegation,
    Duration backgroundSyncInterval,
    Duration notRunningGrace,
    int syncAttempts,
    Duration passTimeout,
    Duration storeTimeout) {
  public MaintenanceConfig {
    Objects.requireNonNull(backgroundSyncInterval, "backgroundSyncInterval");
    Objects.requireNonNull(notRunningGrace, "notRunningGrace");
    Objects.requireNonNull(passTimeout, "passTimeout");
    Objects.requireNonNull(storeTimeout, "storeTimeout");
    if (parallelCalls < 1 || syncAttempts < 1) {
      throw new IllegalArgumentException(
          "parallelCalls is " + parallelCalls + ", syncAttempts " + syncAttempts + "; expected 1+");
    }
  }

  MaintenanceConfig withPassTimeout(Duration other) {
    return new MaintenanceConfig(
        parallelCalls,
        prefixDelegation,
        backgroundSyncInterval,
        notRunningGrace,
        syncAttempts,
        other,
        storeTimeout);
  }

  static MaintenanceConfig read(ConfigReader reader) {
    return new MaintenanceConfig(
        SharedKey.workers(reader),
        EngineKey.ENABLE_PREFIX_DELEGATION.read(reader),
        EngineKey.BACKGROUND_SYNC_INTERVAL.read(reader),
        EngineKey.NOT_RUNNING_GRACE.read(reader),
        EngineKey.SYNC_ATTEMPTS.read(reader),
        EngineKey.PASS_TIMEOUT.read(reader),
        EngineKey.STORE_TIMEOUT.read(reader));
  }
}
