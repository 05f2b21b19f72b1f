package io.tidemark.node.config;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.DurationText;
import io.tidemark.config.SharedKey;
import io.tidemark.config.SharedKey.Profile;
import io.tidemark.demand.DemandKey;
import io.tidemark.demand.DemandSettings;
import io.tidemark.time.BackoffPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The engine's settings, typed and checked (node-manager 8, N7).
 *
 * @param clusterName part of ownership tags and request tokens
 * @param profile whose formulas, order and pauses apply
 * @param maintenance settings of scans, passes and writes
 * @param release settings of the release of addresses
 * @param demand settings of the mode in which spare addresses follow demand; empty for static ones
 * @param backoff pauses after failures; the profile is applied
 * @param ceiling hard limit of all requests to the cloud; empty if only the documented and learned
 *     limits of the cloud apply; the profile is applied
 */
public record EngineConfig(
    String clusterName,
    Profile profile,
    MaintenanceConfig maintenance,
    ReleaseConfig release,
    Optional<DemandSettings> demand,
    BackoffPolicy backoff,
    Optional<CallCeiling> ceiling) {
  /** The reference's limiter (N8). */
  private static final Optional<CallCeiling> REFERENCE_CEILING =
      Optional.of(new CallCeiling(4, 20));

  /** The settings when nothing is set. */
  public static EngineConfig defaults() {
    return of(Map.of());
  }

  /**
   * Settings by key, the others at their defaults.
   *
   * @throws io.tidemark.error.IpamException when one is refused
   */
  public static EngineConfig of(Map<String, String> settings) {
    ConfigProblems problems = new ConfigProblems();
    EngineConfig config = read(ConfigSource.of(settings), problems);
    problems.throwIfAny();
    return config;
  }

  /**
   * Reads every key of {@link EngineKey}. An invalid value is added to {@code problems} and
   * replaced by its default; use the result only if there are no problems.
   */
  public static EngineConfig read(ConfigSource source, ConfigProblems problems) {
    ConfigReader reader = new ConfigReader(source, problems);
    Profile profile = EngineKey.IPAM_PROFILE.read(reader);
    BackoffPolicy backoff = backoff(reader);
    checkForProviders(reader);
    boolean reference = profile == Profile.REFERENCE;
    return new EngineConfig(
        EngineKey.CLUSTER_NAME.read(reader),
        profile,
        MaintenanceConfig.read(reader),
        ReleaseConfig.read(reader, profile),
        demand(reader, profile),
        reference ? backoff.referenceCompatible() : backoff,
        ceiling(reader).or(() -> reference ? REFERENCE_CEILING : Optional.empty()));
  }

  /** The same with another {@code pass-timeout}. */
  public EngineConfig withPassTimeout(Duration other) {
    return new EngineConfig(
        clusterName,
        profile,
        maintenance.withPassTimeout(other),
        release,
        demand,
        backoff,
        ceiling);
  }

  /** The same with release of surplus after {@code delay}. */
  public EngineConfig releasingAfter(Duration delay) {
    ReleaseConfig now = new ReleaseConfig(true, delay, release.hysteresis(), release.minBatch());
    return new EngineConfig(clusterName, profile, maintenance, now, demand, backoff, ceiling);
  }

  /** Whether the reference's formulas and order hold (13 D-21). */
  public boolean isReferenceCompatible() {
    return profile == Profile.REFERENCE;
  }

  /** Validates a shared setting even if the provider does not read it. */
  private static void checkForProviders(ConfigReader reader) {
    EngineKey.OVERLAY_EXPIRY.read(reader);
  }

  private static Optional<DemandSettings> demand(ConfigReader reader, Profile profile) {
    Optional<DemandSettings> demand = DemandKey.read(reader);
    if (demand.isPresent() && profile == Profile.REFERENCE) {
      reader
          .problems()
          .contradiction(
              reader.source(),
              DemandKey.MODE.key(),
              EngineKey.IPAM_PROFILE.key(),
              "the reference keeps a fixed number of spare addresses");
    }
    return demand;
  }

  private static BackoffPolicy backoff(ConfigReader reader) {
    Duration base = EngineKey.BACKOFF_BASE.read(reader);
    Duration cap = EngineKey.BACKOFF_CAP.read(reader);
    if (cap.compareTo(base) < 0) {
      reader
          .problems()
          .contradiction(
              reader.source(),
              EngineKey.BACKOFF_CAP.key(),
              EngineKey.BACKOFF_BASE.key(),
              "the longest pause is "
                  + DurationText.print(cap)
                  + ", the shortest "
                  + DurationText.print(base));
      cap = base;
    }
    return new BackoffPolicy(
        base,
        EngineKey.BACKOFF_FACTOR.read(reader),
        cap,
        true,
        true,
        EngineKey.BACKOFF_RESET.read(reader));
  }

  private static Optional<CallCeiling> ceiling(ConfigReader reader) {
    String qpsKey = EngineKey.LIMIT_IPAM_API_QPS.key();
    String burstKey = EngineKey.LIMIT_IPAM_API_BURST.key();
    double rate = EngineKey.LIMIT_IPAM_API_QPS.read(reader);
    double qps = rate > 0 ? rate : 1; // not given, or not accepted
    int atOnce = EngineKey.LIMIT_IPAM_API_BURST.read(reader);
    int burst = atOnce > 0 ? atOnce : (int) Math.ceil(qps);
    if (reader.isGiven(qpsKey)) {
      return Optional.of(new CallCeiling(qps, burst));
    }
    if (reader.isGiven(burstKey)) {
      reader
          .problems()
          .contradiction(
              reader.source(), burstKey, qpsKey, "a burst without a rate limits nothing; set both");
    }
    return Optional.empty();
  }

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

  /**
   * Settings of the release of addresses (node-manager 4, 2.7).
   *
   * @param enabled whether addresses are released at all
   * @param delay how long an address must be in excess before it is released
   * @param hysteresis whether only addresses above the sum of the marks and max-above-watermark are
   *     released
   * @param minBatch with hysteresis, the smallest excess that is released, 1 or more
   */
  public record ReleaseConfig(boolean enabled, Duration delay, boolean hysteresis, int minBatch) {
    static ReleaseConfig read(ConfigReader reader, SharedKey.Profile profile) {
      ReleaseConfig config =
          new ReleaseConfig(
              EngineKey.RELEASE_EXCESS_IPS.read(reader),
              EngineKey.EXCESS_IP_RELEASE_DELAY.read(reader),
              EngineKey.RELEASE_HYSTERESIS.read(reader),
              EngineKey.RELEASE_MIN_BATCH.read(reader));
      config.check(reader, profile);
      return config;
    }

    private void check(ConfigReader reader, SharedKey.Profile profile) {
      ConfigProblems problems = reader.problems();
      if (hysteresis && !enabled) {
        problems.contradiction(
            reader.source(),
            EngineKey.RELEASE_HYSTERESIS.key(),
            EngineKey.RELEASE_EXCESS_IPS.key(),
            "nothing is released, so there is nothing to hold back");
      }
      if (hysteresis && profile == SharedKey.Profile.REFERENCE) {
        problems.contradiction(
            reader.source(),
            EngineKey.RELEASE_HYSTERESIS.key(),
            EngineKey.IPAM_PROFILE.key(),
            "the reference has no hysteresis");
      }
      if (minBatch > 1 && !hysteresis) {
        problems.contradiction(
            reader.source(),
            EngineKey.RELEASE_MIN_BATCH.key(),
            EngineKey.RELEASE_HYSTERESIS.key(),
            "a least batch is part of the hysteresis");
      }
    }
  }
}
