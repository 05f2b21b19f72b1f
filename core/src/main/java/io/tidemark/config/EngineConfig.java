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
  private static final int MOST_CALLS = 1000;

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
    Duration day = Duration.ofDays(1);
    int workers = reader.integer(CoreKey.PARALLEL_ALLOC_WORKERS.key(), 50, -MOST_CALLS, MOST_CALLS);
    return new EngineConfig(
        Math.max(1, workers),
        reader.flag(CoreKey.ENABLE_PREFIX_DELEGATION.key(), false),
        reader.duration(
            CoreKey.BACKGROUND_SYNC_INTERVAL.key(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            day),
        reader.duration(CoreKey.NOT_RUNNING_GRACE.key(), Duration.ofMinutes(1), Duration.ZERO, day),
        reader.duration(
            CoreKey.OVERLAY_EXPIRY.key(),
            Duration.ofMinutes(2),
            Duration.ZERO,
            Duration.ofHours(1)),
        reader.integer(CoreKey.SYNC_ATTEMPTS.key(), 2, 1, 10),
        reader.duration(
            CoreKey.PASS_TIMEOUT.key(),
            Duration.ofMinutes(2),
            Duration.ofSeconds(1),
            Duration.ofHours(1)),
        reader.duration(
            CoreKey.STORE_TIMEOUT.key(),
            Duration.ofSeconds(30),
            Duration.ofMillis(100),
            Duration.ofMinutes(10)));
  }
}
