package io.tidemark.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Every setting of the engine itself (node-manager 8, N7). Providers declare theirs. The page
 * docs/config.md is compared with this list.
 */
public enum CoreKey implements ConfigKey {
  CLUSTER_NAME(
      "cluster-name",
      Form.TEXT,
      "default",
      "name in ownership tags and request tokens; letters, digits, '.', '_' and '-', up to 63"),
  IPAM_PROFILE(
      "ipam-profile",
      Form.CHOICE,
      "tidemark",
      "tidemark, or reference for the formulas, order and pauses of the operator it replaces"),

  PARALLEL_ALLOC_WORKERS(
      "parallel-alloc-workers",
      Form.INTEGER,
      "50",
      "requests on their way to the cloud at a time, up to 1000; below 1 counts as 1"),
  ENABLE_PREFIX_DELEGATION(
      "enable-prefix-delegation",
      Form.FLAG,
      "false",
      "ask for /28 blocks where instance and subnet allow",
      "aws-enable-prefix-delegation"),
  BACKGROUND_SYNC_INTERVAL(
      "background-sync-interval",
      Form.DURATION,
      "1m",
      "pause between two full scans of the cloud, 1s to 24h; longer in large clusters"),
  NOT_RUNNING_GRACE(
      "not-running-grace",
      Form.DURATION,
      "1m",
      "pause before a stopped instance is tried again, 0 to 24h"),
  OVERLAY_EXPIRY(
      "overlay-expiry",
      Form.DURATION,
      "2m",
      "how long our own writes outweigh the cloud's answers that contradict them, 0 to 1h"),
  SYNC_ATTEMPTS(
      "sync-attempts",
      Form.INTEGER,
      "2",
      "tries of one write of a resource that others change at the same time, 1 to 10"),
  PASS_TIMEOUT(
      "pass-timeout",
      Form.DURATION,
      "2m",
      "bound of one change of the cloud from its turn on, or of one read, repeats included, 1s to 1h"),
  STORE_TIMEOUT(
      "store-timeout",
      Form.DURATION,
      "30s",
      "bound of one request to the API server or the folder of manifests, 100ms to 10m"),

  RELEASE_EXCESS_IPS(
      "release-excess-ips",
      Form.FLAG,
      "false",
      "give addresses above the water marks back",
      "aws-release-excess-ips"),
  EXCESS_IP_RELEASE_DELAY(
      "excess-ip-release-delay",
      Form.DURATION_OR_SECONDS,
      "3m",
      "how long an address must be in excess before it is released, 0 to 720h; a bare number counts seconds"),
  RELEASE_HYSTERESIS(
      "release-hysteresis",
      Form.FLAG,
      "false",
      "release only what is above the marks and max-above-watermark together"),
  RELEASE_MIN_BATCH(
      "release-min-batch",
      Form.INTEGER,
      "1",
      "with hysteresis, the least excess that is worth a release, 1 to 1000"),

  BACKOFF_BASE("backoff-base", Form.DURATION, "1s", "shortest pause after a failure, 1ms to 1h"),
  BACKOFF_FACTOR("backoff-factor", Form.DECIMAL, "2", "growth of the pause per failure, 1 to 10"),
  BACKOFF_CAP("backoff-cap", Form.DURATION, "5m", "longest pause, backoff-base to 24h"),
  BACKOFF_RESET(
      "backoff-reset",
      Form.DURATION,
      "10m",
      "after this long without a failure they are counted anew, 1ms to 24h"),

  LIMIT_IPAM_API_QPS(
      "limit-ipam-api-qps",
      Form.DECIMAL,
      "",
      "requests to the cloud per second, 0.01 to 10000, on top of the limits learned from the cloud"),
  LIMIT_IPAM_API_BURST(
      "limit-ipam-api-burst",
      Form.INTEGER,
      "",
      "requests that may go out at once under limit-ipam-api-qps, 1 to 100000; unset, one second's worth"),

  ENABLE_METRICS("enable-metrics", Form.FLAG, "true", "count, and publish what was counted"),
  METRICS_PREFIX(
      "metrics-prefix",
      Form.TEXT,
      "cilium_operator_ipam_",
      "what the names of metrics begin with; letters, digits and '_'");

  private final String key;
  private final Form form;
  private final String defaultText;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> aliases;

  CoreKey(String key, Form form, String defaultText, String meaning, String... aliases) {
    this.key = key;
    this.form = form;
    this.defaultText = defaultText;
    this.meaning = meaning;
    this.aliases = List.of(aliases);
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public Form form() {
    return form;
  }

  @Override
  public Optional<String> defaultText() {
    return defaultText.isEmpty() ? Optional.empty() : Optional.of(defaultText);
  }

  @Override
  public String meaning() {
    return meaning;
  }

  @Override
  public List<String> aliases() {
    return aliases;
  }

  /** The setting of that key or older name. */
  public static Optional<CoreKey> of(String name) {
    return Arrays.stream(values())
        .filter(each -> each.key.equals(name) || each.aliases.contains(name))
        .findFirst();
  }
}
