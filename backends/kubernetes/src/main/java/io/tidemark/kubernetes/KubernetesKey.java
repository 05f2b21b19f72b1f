package io.tidemark.kubernetes;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import java.time.Duration;
import java.util.List;

/**
 * Every setting of the use of a Kubernetes cluster (node-manager 5.9, 8). {@link KubernetesConfig}
 * reads them. The page docs/config.md is compared with this list.
 */
public final class KubernetesKey {
  private static final Options ALL = new Options();

  static final Option<Duration> NODES_GC_INTERVAL =
      ALL.duration(
          "nodes-gc-interval",
          "5m",
          "0",
          "24h",
          "interval of deleting node resources without a Kubernetes node, 10s to 24h; 0 for never");
  static final Option<Boolean> PRE_ALLOCATE_CORDONED =
      ALL.flag(
          "pre-allocate-cordoned",
          true,
          "keep spare addresses on cordoned and terminating nodes too; else only what agents,"
              + " min-allocate and waiting pods need");
  static final Option<Boolean> TAINT_EXHAUSTED_NODES =
      ALL.flag("taint-exhausted-nodes", false, "taint nodes that have no address for another pod");
  static final Option<Duration> TAINT_DELAY =
      ALL.duration(
          "taint-delay", "20s", "1s", "1h", "time without an address before a node is tainted, {}");
  static final Option<Boolean> LEADER_ELECTION =
      ALL.flag(
          "leader-election",
          true,
          "act only while holding a lease, so that several operators can run");
  static final Option<String> LEADER_ELECTION_NAMESPACE =
      ALL.text(
          "leader-election-namespace",
          "",
          "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
          "the name of a namespace: letters, digits, '-'",
          "namespace of the lease; unset, the namespace that the program runs in");
  static final Option<Duration> LEADER_ELECTION_LEASE_DURATION =
      ALL.duration(
          "leader-election-lease-duration",
          "15s",
          "2s",
          "10m",
          "how long a leader that does not renew keeps the lease, whole seconds, {}");
  static final Option<Duration> LEADER_ELECTION_RENEW_DEADLINE =
      ALL.duration(
          "leader-election-renew-deadline",
          "10s",
          "1s",
          "10m",
          "how long a leader tries to renew the lease before it stops, {}");
  static final Option<Duration> LEADER_ELECTION_RETRY_PERIOD =
      ALL.duration(
          "leader-election-retry-period",
          "2s",
          "100ms",
          "5m",
          "pause between attempts to acquire or renew the lease, {}");
  static final Option<Double> OPERATOR_K8S_CLIENT_QPS =
      ALL.decimal(
          "operator-k8s-client-qps",
          100,
          0,
          100_000,
          "requests to the Kubernetes API per second, up to 100000; 0 for no limit",
          "kube-api-qps");
  static final Option<Integer> OPERATOR_K8S_CLIENT_BURST =
      ALL.integer(
          "operator-k8s-client-burst",
          200,
          0,
          100_000,
          "burst of requests to the Kubernetes API, up to 100000; 0 for no limit",
          "kube-api-burst");
  static final Option<Duration> K8S_REQUEST_TIMEOUT =
      ALL.duration(
          "k8s-request-timeout",
          "10s",
          "100ms",
          "10m",
          "timeout of one request to the Kubernetes API, except watches, {}");

  private KubernetesKey() {}

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return ALL.all();
  }
}
