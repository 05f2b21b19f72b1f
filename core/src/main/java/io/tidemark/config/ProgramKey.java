package io.tidemark.config;

import java.time.Duration;
import java.util.List;

/**
 * Every setting of the program around the engine (node-manager 5.9, 8): which cloud, and how the
 * Kubernetes API is used. {@link ProviderChoice} reads the first two. The page docs/config.md is
 * compared with this list.
 */
public final class ProgramKey {
  private static final Options ALL = new Options();

  public static final Option<String> PROVIDER =
      ALL.raw("provider", "the cloud; an unknown name lists the known ones");
  public static final Option<String> IPAM =
      ALL.raw(
          "ipam",
          "eni or azure, as the agents have it: the provider is aws or azure when provider is"
              + " unset");
  public static final Option<Duration> NODES_GC_INTERVAL =
      ALL.duration(
          "nodes-gc-interval",
          "5m",
          "0",
          "24h",
          "interval of deleting node resources without a Kubernetes node, 10s to 24h; 0 for never");
  public static final Option<Boolean> PRE_ALLOCATE_CORDONED =
      ALL.flag(
          "pre-allocate-cordoned",
          true,
          "keep spare addresses on cordoned and terminating nodes too; else these get what the"
              + " start of an agent, min-allocate and waiting pods need");
  public static final Option<Boolean> LEADER_ELECTION =
      ALL.flag(
          "leader-election",
          true,
          "act only while holding a lease, so that several operators can run");
  public static final Option<String> LEADER_ELECTION_NAMESPACE =
      ALL.text(
          "leader-election-namespace",
          "",
          "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
          "the name of a namespace: letters, digits, '-'",
          "namespace of the lease; unset, the namespace that the program runs in");
  public static final Option<Duration> LEADER_ELECTION_LEASE_DURATION =
      ALL.duration(
          "leader-election-lease-duration",
          "15s",
          "2s",
          "10m",
          "how long a leader that does not renew keeps the lease, whole seconds, {}");
  public static final Option<Duration> LEADER_ELECTION_RENEW_DEADLINE =
      ALL.duration(
          "leader-election-renew-deadline",
          "10s",
          "1s",
          "10m",
          "how long a leader tries to renew the lease before it stops, {}");
  public static final Option<Duration> LEADER_ELECTION_RETRY_PERIOD =
      ALL.duration(
          "leader-election-retry-period",
          "2s",
          "100ms",
          "5m",
          "pause between attempts to acquire or renew the lease, {}");
  public static final Option<Double> OPERATOR_K8S_CLIENT_QPS =
      ALL.decimal(
          "operator-k8s-client-qps",
          100,
          0,
          100_000,
          "requests to the Kubernetes API per second, up to 100000; 0 for no limit");
  public static final Option<Integer> OPERATOR_K8S_CLIENT_BURST =
      ALL.integer(
          "operator-k8s-client-burst",
          200,
          0,
          100_000,
          "burst of requests to the Kubernetes API, up to 100000; 0 for no limit");
  public static final Option<Duration> K8S_REQUEST_TIMEOUT =
      ALL.duration(
          "k8s-request-timeout",
          "10s",
          "100ms",
          "10m",
          "timeout of one request to the Kubernetes API, except watches, {}");

  private ProgramKey() {}

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return ALL.all();
  }
}
