package io.tidemark.node.config;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.config.SharedKey;
import io.tidemark.demand.DemandKey;
import java.time.Duration;
import java.util.List;

/**
 * Every setting of the engine itself (node-manager 8, N7). Providers declare theirs. The page
 * docs/config.md is compared with this list.
 */
public final class EngineKey {
  private static final Options ALL = new Options();

  static final Option<String> CLUSTER_NAME =
      ALL.text(
          "cluster-name",
          "default",
          "[A-Za-z0-9._-]{1,63}",
          "1 to 63 letters, digits, '.', '_' and '-'",
          "name in ownership tags and request tokens; the default names no cluster; letters, digits,"
              + " '.', '_' and '-', up to 63");
  static final Option<SharedKey.Profile> IPAM_PROFILE = ALL.with(SharedKey.IPAM_PROFILE);
  static final Option<Integer> PARALLEL_ALLOC_WORKERS = ALL.with(SharedKey.PARALLEL_ALLOC_WORKERS);
  static final Option<Boolean> ENABLE_PREFIX_DELEGATION =
      ALL.flag(
          "enable-prefix-delegation",
          false,
          "allocate /28 blocks where instance and subnet allow",
          "aws-enable-prefix-delegation");
  static final Option<Duration> BACKGROUND_SYNC_INTERVAL =
      ALL.duration(
          "background-sync-interval",
          "1m",
          "1s",
          "24h",
          "interval between full scans of the cloud, {}; longer in large clusters");
  static final Option<Duration> NOT_RUNNING_GRACE =
      ALL.duration(
          "not-running-grace",
          "1m",
          "0",
          "24h",
          "pause before a stopped instance is tried again, {}");
  static final Option<Duration> OVERLAY_EXPIRY = ALL.with(SharedKey.OVERLAY_EXPIRY);
  static final Option<Integer> SYNC_ATTEMPTS = ALL.with(SharedKey.SYNC_ATTEMPTS);
  public static final Option<Duration> PASS_TIMEOUT =
      ALL.duration(
          "pass-timeout",
          "2m",
          "1s",
          "1h",
          "timeout of one change or read of the cloud, retries included, {}; some providers have"
              + " a longer default");
  static final Option<Duration> STORE_TIMEOUT =
      ALL.duration(
          "store-timeout",
          "30s",
          "100ms",
          "10m",
          "timeout of one request to the API server or the folder of manifests, {}");
  static final Option<Boolean> RELEASE_EXCESS_IPS = ALL.with(SharedKey.RELEASE_EXCESS_IPS);
  static final Option<Duration> EXCESS_IP_RELEASE_DELAY =
      ALL.durationOrSeconds(
          "excess-ip-release-delay",
          "3m",
          "0",
          "720h",
          "how long an address must be in excess before it is released, {}; a bare number counts"
              + " seconds");
  static final Option<Boolean> RELEASE_HYSTERESIS =
      ALL.flag(
          "release-hysteresis",
          false,
          "release only addresses above the low watermark plus max-above-watermark");
  static final Option<Integer> RELEASE_MIN_BATCH =
      ALL.integer(
          "release-min-batch",
          1,
          1,
          1000,
          "with hysteresis, the smallest excess that is released, {}");

  static {
    DemandKey.all().forEach(ALL::with);
  }

  static final Option<Duration> BACKOFF_BASE =
      ALL.duration("backoff-base", "1s", "1ms", "1h", "shortest pause after a failure, {}");
  static final Option<Double> BACKOFF_FACTOR =
      ALL.decimal("backoff-factor", 2, 1, 10, "growth of the pause per failure, {}");
  static final Option<Duration> BACKOFF_CAP =
      ALL.duration("backoff-cap", "5m", "1ms", "24h", "longest pause, backoff-base to 24h");
  static final Option<Duration> BACKOFF_RESET =
      ALL.duration(
          "backoff-reset",
          "10m",
          "1ms",
          "24h",
          "after this long without a failure the pause starts from backoff-base again, {}");
  static final Option<Double> LIMIT_IPAM_API_QPS =
      ALL.decimal(
          "limit-ipam-api-qps",
          0,
          0.01,
          10_000,
          "requests to the cloud per second, {}, in addition to the limits learned from the cloud");
  static final Option<Integer> LIMIT_IPAM_API_BURST =
      ALL.integer(
          "limit-ipam-api-burst",
          0,
          1,
          100_000,
          "burst of limit-ipam-api-qps, {}; unset, the requests of one second");

  private EngineKey() {}

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return ALL.all();
  }
}
