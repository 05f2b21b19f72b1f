package io.tidemark.config;

import java.util.Optional;

/**
 * Every setting of the program around the engine (node-manager 5.9, 8): which cloud, and how the
 * Kubernetes API is used. The page docs/config.md is compared with this list.
 */
public enum ProgramKey implements ConfigKey {
  PROVIDER("provider", Form.TEXT, "", "the cloud; an unknown name lists the known ones"),
  IPAM(
      "ipam",
      Form.CHOICE,
      "",
      "eni or azure, as the agents have it: chooses the provider aws or azure where provider names"
          + " none"),

  NODES_GC_INTERVAL(
      "nodes-gc-interval",
      Form.DURATION,
      "5m",
      "how often node resources without a Kubernetes node are looked for and deleted, 10s to 24h; 0"
          + " for never"),
  PRE_ALLOCATE_CORDONED(
      "pre-allocate-cordoned",
      Form.FLAG,
      "true",
      "keep spare addresses on cordoned nodes and those about to go, too; else these get what the"
          + " start of an agent, min-allocate and waiting pods need"),

  LEADER_ELECTION(
      "leader-election",
      Form.FLAG,
      "true",
      "work only while holding a lease, so that more than one operator may run"),
  LEADER_ELECTION_NAMESPACE(
      "leader-election-namespace",
      Form.TEXT,
      "",
      "namespace of the lease; unset, the namespace that the program runs in"),
  LEADER_ELECTION_LEASE_DURATION(
      "leader-election-lease-duration",
      Form.DURATION,
      "15s",
      "how long a leader that is not heard of keeps the lease, whole seconds, 2s to 10m"),
  LEADER_ELECTION_RENEW_DEADLINE(
      "leader-election-renew-deadline",
      Form.DURATION,
      "10s",
      "how long a leader tries to renew the lease before it gives up, 1s to 10m"),
  LEADER_ELECTION_RETRY_PERIOD(
      "leader-election-retry-period",
      Form.DURATION,
      "2s",
      "pause between two tries to get or renew the lease, 100ms to 5m"),

  OPERATOR_K8S_CLIENT_QPS(
      "operator-k8s-client-qps",
      Form.DECIMAL,
      "100",
      "requests to the Kubernetes API per second, up to 100000; 0 for no limit"),
  OPERATOR_K8S_CLIENT_BURST(
      "operator-k8s-client-burst",
      Form.INTEGER,
      "200",
      "requests that may go to it at once, up to 100000; 0 for no limit"),
  K8S_REQUEST_TIMEOUT(
      "k8s-request-timeout",
      Form.DURATION,
      "10s",
      "bound of one request to the Kubernetes API, watches apart, 100ms to 10m");

  private final String key;
  private final Form form;
  private final String defaultText;
  private final String meaning;

  ProgramKey(String key, Form form, String defaultText, String meaning) {
    this.key = key;
    this.form = form;
    this.defaultText = defaultText;
    this.meaning = meaning;
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
}
