package io.tidemark.node;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the node manager (node-manager 8); defaults in {@link #defaults()}.
 *
 * @param workers lanes that run at the same time
 * @param releaseExcess surplus is given back (section 4)
 * @param releaseDelay how long an address is surplus before it is marked
 * @param prefixDelegation blocks are wanted where the instance can
 * @param backgroundInterval between the end of one full scan and the next; grows with the cluster
 *     (D-17)
 * @param notRunningGrace after which a stopped instance is probed again
 * @param releaseMinBatch with hysteresis, the least surplus worth releasing (D-12)
 * @param releaseHysteresis release only what exceeds max(m + w, u + p + w) (D-12)
 * @param backoffBase first pause after a failed pass
 * @param backoffFactor growth of the pause
 * @param backoffCap longest pause
 * @param backoffReset quiet time after which failures count anew
 * @param syncAttempts tries of one resource write, conflicts re-applied on the fresh object
 * @param passTimeout bound of one mutation, waiting for tokens and retries included
 * @param storeTimeout bound of one request to the store
 * @param referenceCompatible formulas and order of the reference (D-21)
 */
public record NodeManagerConfig(
    int workers,
    boolean releaseExcess,
    Duration releaseDelay,
    boolean prefixDelegation,
    Duration backgroundInterval,
    Duration notRunningGrace,
    int releaseMinBatch,
    boolean releaseHysteresis,
    Duration backoffBase,
    double backoffFactor,
    Duration backoffCap,
    Duration backoffReset,
    int syncAttempts,
    Duration passTimeout,
    Duration storeTimeout,
    boolean referenceCompatible) {
  public NodeManagerConfig {
    if (workers < 1) {
      workers = 1; // node-manager 5.1
    }
    Objects.requireNonNull(releaseDelay, "releaseDelay");
    Objects.requireNonNull(backgroundInterval, "backgroundInterval");
    Objects.requireNonNull(notRunningGrace, "notRunningGrace");
    Objects.requireNonNull(backoffBase, "backoffBase");
    Objects.requireNonNull(backoffCap, "backoffCap");
    Objects.requireNonNull(backoffReset, "backoffReset");
    Objects.requireNonNull(passTimeout, "passTimeout");
    Objects.requireNonNull(storeTimeout, "storeTimeout");
    if (syncAttempts < 1) {
      throw new IllegalArgumentException(
          "syncAttempts is " + syncAttempts + "; expected 1 or more");
    }
  }

  /** Defaults of node-manager 8, with one worker. */
  public static NodeManagerConfig defaults() {
    return new NodeManagerConfig(
        1,
        false,
        Duration.ofSeconds(180),
        false,
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        1,
        false,
        Duration.ofSeconds(1),
        2.0,
        Duration.ofMinutes(5),
        Duration.ofMinutes(10),
        2,
        Duration.ofMinutes(2),
        Duration.ofSeconds(30),
        false);
  }

  /** The same settings in the profile of the reference (D-21). */
  public NodeManagerConfig referenceProfile() {
    return new NodeManagerConfig(
        workers,
        releaseExcess,
        releaseDelay,
        prefixDelegation,
        backgroundInterval,
        notRunningGrace,
        releaseMinBatch,
        releaseHysteresis,
        backoffBase,
        backoffFactor,
        backoffCap,
        backoffReset,
        syncAttempts,
        passTimeout,
        storeTimeout,
        true);
  }

  /** The same settings with hysteresis and batches of {@code addresses} or more (D-12). */
  public NodeManagerConfig releasingInBatches(int addresses) {
    return new NodeManagerConfig(
        workers,
        releaseExcess,
        releaseDelay,
        prefixDelegation,
        backgroundInterval,
        notRunningGrace,
        addresses,
        true,
        backoffBase,
        backoffFactor,
        backoffCap,
        backoffReset,
        syncAttempts,
        passTimeout,
        storeTimeout,
        referenceCompatible);
  }

  /** The same settings with release of surplus after {@code delay}. */
  public NodeManagerConfig releasingAfter(Duration delay) {
    return new NodeManagerConfig(
        workers,
        true,
        delay,
        prefixDelegation,
        backgroundInterval,
        notRunningGrace,
        releaseMinBatch,
        releaseHysteresis,
        backoffBase,
        backoffFactor,
        backoffCap,
        backoffReset,
        syncAttempts,
        passTimeout,
        storeTimeout,
        referenceCompatible);
  }
}
