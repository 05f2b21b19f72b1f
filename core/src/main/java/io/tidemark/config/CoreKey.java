package io.tidemark.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Every setting of the engine itself (node-manager 8, N7). Providers declare theirs. The page
 * docs/config.md is compared with this list.
 */
public final class CoreKey {
  private static final List<Option<?>> ALL = new ArrayList<>();

  public static final Option<String> CLUSTER_NAME =
      add(
          Option.text(
                  "cluster-name",
                  "default",
                  "[A-Za-z0-9._-]{1,63}",
                  "1 to 63 letters, digits, '.', '_' and '-'")
              .means(
                  "name in ownership tags and request tokens; letters, digits, '.', '_' and '-', up to 63"));
  public static final Option<CoreConfig.Profile> IPAM_PROFILE =
      add(
          Option.choice("ipam-profile", CoreConfig.Profile.TIDEMARK)
              .means(
                  "tidemark, or reference for the formulas, order and pauses of the operator it replaces"));
  public static final Option<Integer> PARALLEL_ALLOC_WORKERS =
      add(
          Option.integer("parallel-alloc-workers", 50, -1000, 1000)
              .means(
                  "requests on their way to the cloud at a time, up to 1000; below 1 counts as 1"));
  public static final Option<Boolean> ENABLE_PREFIX_DELEGATION =
      add(
          Option.flag("enable-prefix-delegation", false)
              .means("ask for /28 blocks where instance and subnet allow")
              .withAliases("aws-enable-prefix-delegation"));
  public static final Option<Duration> BACKGROUND_SYNC_INTERVAL =
      add(
          Option.duration("background-sync-interval", "1m", "1s", "24h")
              .means("pause between two full scans of the cloud, {}; longer in large clusters"));
  public static final Option<Duration> NOT_RUNNING_GRACE =
      add(
          Option.duration("not-running-grace", "1m", "0", "24h")
              .means("pause before a stopped instance is tried again, {}"));
  public static final Option<Duration> OVERLAY_EXPIRY =
      add(
          Option.duration("overlay-expiry", "2m", "0", "1h")
              .means(
                  "how long our own writes outweigh the cloud's answers that contradict them, {}"));
  public static final Option<Integer> SYNC_ATTEMPTS =
      add(
          Option.integer("sync-attempts", 2, 1, 10)
              .means("tries of one write of a resource that others change at the same time, {}"));
  public static final Option<Duration> PASS_TIMEOUT =
      add(
          Option.duration("pass-timeout", "2m", "1s", "1h")
              .means(
                  "bound of one change of the cloud from its turn on, or of one read, repeats included, {}"));
  public static final Option<Duration> STORE_TIMEOUT =
      add(
          Option.duration("store-timeout", "30s", "100ms", "10m")
              .means("bound of one request to the API server or the folder of manifests, {}"));
  public static final Option<Boolean> RELEASE_EXCESS_IPS =
      add(
          Option.flag("release-excess-ips", false)
              .means("give addresses above the water marks back")
              .withAliases("aws-release-excess-ips"));
  public static final Option<Duration> EXCESS_IP_RELEASE_DELAY =
      add(
          Option.durationOrSeconds("excess-ip-release-delay", "3m", "0", "720h")
              .means(
                  "how long an address must be in excess before it is released, {}; a bare number counts seconds"));
  public static final Option<Boolean> RELEASE_HYSTERESIS =
      add(
          Option.flag("release-hysteresis", false)
              .means("release only what is above the marks and max-above-watermark together"));
  public static final Option<Integer> RELEASE_MIN_BATCH =
      add(
          Option.integer("release-min-batch", 1, 1, 1000)
              .means("with hysteresis, the least excess that is worth a release, {}"));
  public static final Option<Duration> BACKOFF_BASE =
      add(
          Option.duration("backoff-base", "1s", "1ms", "1h")
              .means("shortest pause after a failure, {}"));
  public static final Option<Double> BACKOFF_FACTOR =
      add(Option.decimal("backoff-factor", 2, 1, 10).means("growth of the pause per failure, {}"));
  public static final Option<Duration> BACKOFF_CAP =
      add(
          Option.duration("backoff-cap", "5m", "1ms", "24h")
              .means("longest pause, backoff-base to 24h"));
  public static final Option<Duration> BACKOFF_RESET =
      add(
          Option.duration("backoff-reset", "10m", "1ms", "24h")
              .means("after this long without a failure they are counted anew, {}"));
  public static final Option<Double> LIMIT_IPAM_API_QPS =
      add(
          Option.decimal("limit-ipam-api-qps", 1, 0.01, 10_000)
              .means(
                  "requests to the cloud per second, {}, on top of the limits learned from the cloud")
              .withoutDefault());
  public static final Option<Integer> LIMIT_IPAM_API_BURST =
      add(
          Option.integer("limit-ipam-api-burst", 0, 1, 100_000)
              .means(
                  "requests that may go out at once under limit-ipam-api-qps, {}; unset, one second's worth")
              .withoutDefault());
  public static final Option<Boolean> ENABLE_METRICS =
      add(Option.flag("enable-metrics", true).means("count, and publish what was counted"));
  public static final Option<String> METRICS_PREFIX =
      add(
          Option.text(
                  "metrics-prefix",
                  "cilium_operator_ipam_",
                  "[A-Za-z_][A-Za-z0-9_]{0,63}",
                  "1 to 64 letters, digits and '_', no digit first")
              .means("what the names of metrics begin with; letters, digits and '_'"));

  private CoreKey() {}

  private static <T> Option<T> add(Option<T> option) {
    ALL.add(option);
    return option;
  }

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return Collections.unmodifiableList(ALL);
  }
}
