package io.tidemark.config;

import java.time.Duration;
import java.util.List;

/**
 * Every setting of the engine itself (node-manager 8, N7). Providers declare theirs. The page
 * docs/config.md is compared with this list.
 */
public final class CoreKey {
  private static final Options ALL = new Options();

  public static final Option<String> CLUSTER_NAME =
      ALL.text(
          "cluster-name",
          "default",
          "[A-Za-z0-9._-]{1,63}",
          "1 to 63 letters, digits, '.', '_' and '-'",
          "name in ownership tags and request tokens; letters, digits, '.', '_' and '-', up to 63");
  public static final Option<CoreConfig.Profile> IPAM_PROFILE =
      ALL.choice(
          "ipam-profile",
          CoreConfig.Profile.TIDEMARK,
          "tidemark, or reference for the formulas, order and pauses of the operator it replaces");
  public static final Option<Integer> PARALLEL_ALLOC_WORKERS =
      ALL.integer(
          "parallel-alloc-workers",
          50,
          -1000,
          1000,
          "concurrent requests to the cloud, up to 1000; below 1 counts as 1");
  public static final Option<Boolean> ENABLE_PREFIX_DELEGATION =
      ALL.flag(
          "enable-prefix-delegation",
          false,
          "allocate /28 blocks where instance and subnet allow",
          "aws-enable-prefix-delegation");
  public static final Option<Duration> BACKGROUND_SYNC_INTERVAL =
      ALL.duration(
          "background-sync-interval",
          "1m",
          "1s",
          "24h",
          "interval between full scans of the cloud, {}; longer in large clusters");
  public static final Option<Duration> NOT_RUNNING_GRACE =
      ALL.duration(
          "not-running-grace",
          "1m",
          "0",
          "24h",
          "pause before a stopped instance is tried again, {}");
  public static final Option<Duration> OVERLAY_EXPIRY =
      ALL.duration(
          "overlay-expiry",
          "2m",
          "0",
          "1h",
          "how long own writes take precedence over reads of the cloud that contradict them, {}");
  public static final Option<Integer> SYNC_ATTEMPTS =
      ALL.integer(
          "sync-attempts",
          2,
          1,
          10,
          "attempts to write a resource that others change at the same time, {}");
  public static final Option<Duration> PASS_TIMEOUT =
      ALL.duration(
          "pass-timeout",
          "2m",
          "1s",
          "1h",
          "timeout of one change of the cloud from its turn on, or of one read, retries included,"
              + " {}");
  public static final Option<Duration> STORE_TIMEOUT =
      ALL.duration(
          "store-timeout",
          "30s",
          "100ms",
          "10m",
          "timeout of one request to the API server or the folder of manifests, {}");
  public static final Option<Boolean> RELEASE_EXCESS_IPS =
      ALL.flag(
          "release-excess-ips",
          false,
          "release addresses above the water marks",
          "aws-release-excess-ips");
  public static final Option<Duration> EXCESS_IP_RELEASE_DELAY =
      ALL.durationOrSeconds(
          "excess-ip-release-delay",
          "3m",
          "0",
          "720h",
          "how long an address must be in excess before it is released, {}; a bare number counts"
              + " seconds");
  public static final Option<Boolean> RELEASE_HYSTERESIS =
      ALL.flag(
          "release-hysteresis",
          false,
          "release only addresses above the sum of the marks and max-above-watermark");
  public static final Option<Integer> RELEASE_MIN_BATCH =
      ALL.integer(
          "release-min-batch",
          1,
          1,
          1000,
          "with hysteresis, the smallest excess that is released, {}");
  public static final Option<Duration> BACKOFF_BASE =
      ALL.duration("backoff-base", "1s", "1ms", "1h", "shortest pause after a failure, {}");
  public static final Option<Double> BACKOFF_FACTOR =
      ALL.decimal("backoff-factor", 2, 1, 10, "growth of the pause per failure, {}");
  public static final Option<Duration> BACKOFF_CAP =
      ALL.duration("backoff-cap", "5m", "1ms", "24h", "longest pause, backoff-base to 24h");
  public static final Option<Duration> BACKOFF_RESET =
      ALL.duration(
          "backoff-reset",
          "10m",
          "1ms",
          "24h",
          "after this long without a failure the pause starts from backoff-base again, {}");
  public static final Option<Double> LIMIT_IPAM_API_QPS =
      ALL.decimal(
          "limit-ipam-api-qps",
          0,
          0.01,
          10_000,
          "requests to the cloud per second, {}, in addition to the limits learned from the cloud");
  public static final Option<Integer> LIMIT_IPAM_API_BURST =
      ALL.integer(
          "limit-ipam-api-burst",
          0,
          1,
          100_000,
          "burst of limit-ipam-api-qps, {}; unset, the requests of one second");
  public static final Option<Boolean> ENABLE_METRICS =
      ALL.flag("enable-metrics", true, "collect and publish metrics");
  public static final Option<String> METRICS_PREFIX =
      ALL.text(
          "metrics-prefix",
          "cilium_operator_ipam_",
          "[A-Za-z_][A-Za-z0-9_]{0,63}",
          "1 to 64 letters, digits and '_', no digit first",
          "prefix of metric names; letters, digits and '_'");

  private CoreKey() {}

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return ALL.all();
  }
}
