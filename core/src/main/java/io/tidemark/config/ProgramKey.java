package io.tidemark.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Every setting of the program around the engine (node-manager 5.9, 8): which cloud, and how the
 * Kubernetes API is used. {@link ProviderChoice} reads the first two. The page docs/config.md is
 * compared with this list.
 */
public final class ProgramKey {
  private static final List<Option<?>> ALL = new ArrayList<>();

  public static final Option<String> PROVIDER =
      add(
          Option.text("provider", "", ".*", "")
              .means("the cloud; an unknown name lists the known ones")
              .withoutDefault());
  public static final Option<String> IPAM =
      add(
          Option.text("ipam", "", ".*", "")
              .means(
                  "eni or azure, as the agents have it: chooses the provider aws or azure where provider names none")
              .withoutDefault());
  public static final Option<Duration> NODES_GC_INTERVAL =
      add(
          Option.duration("nodes-gc-interval", "5m", "0", "24h")
              .means(
                  "how often node resources without a Kubernetes node are looked for and deleted, 10s to 24h; 0 for never"));
  public static final Option<Boolean> PRE_ALLOCATE_CORDONED =
      add(
          Option.flag("pre-allocate-cordoned", true)
              .means(
                  "keep spare addresses on cordoned nodes and those about to go, too; else these get what the start of an agent, min-allocate and waiting pods need"));
  public static final Option<Boolean> LEADER_ELECTION =
      add(
          Option.flag("leader-election", true)
              .means("work only while holding a lease, so that more than one operator may run"));
  public static final Option<String> LEADER_ELECTION_NAMESPACE =
      add(
          Option.text(
                  "leader-election-namespace",
                  "",
                  "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
                  "the name of a namespace: letters, digits, '-'")
              .means("namespace of the lease; unset, the namespace that the program runs in")
              .withoutDefault());
  public static final Option<Duration> LEADER_ELECTION_LEASE_DURATION =
      add(
          Option.duration("leader-election-lease-duration", "15s", "2s", "10m")
              .means("how long a leader that is not heard of keeps the lease, whole seconds, {}"));
  public static final Option<Duration> LEADER_ELECTION_RENEW_DEADLINE =
      add(
          Option.duration("leader-election-renew-deadline", "10s", "1s", "10m")
              .means("how long a leader tries to renew the lease before it gives up, {}"));
  public static final Option<Duration> LEADER_ELECTION_RETRY_PERIOD =
      add(
          Option.duration("leader-election-retry-period", "2s", "100ms", "5m")
              .means("pause between two tries to get or renew the lease, {}"));
  public static final Option<Double> OPERATOR_K8S_CLIENT_QPS =
      add(
          Option.decimal("operator-k8s-client-qps", 100, 0, 100_000)
              .means("requests to the Kubernetes API per second, up to 100000; 0 for no limit"));
  public static final Option<Integer> OPERATOR_K8S_CLIENT_BURST =
      add(
          Option.integer("operator-k8s-client-burst", 200, 0, 100_000)
              .means("requests that may go to it at once, up to 100000; 0 for no limit"));
  public static final Option<Duration> K8S_REQUEST_TIMEOUT =
      add(
          Option.duration("k8s-request-timeout", "10s", "100ms", "10m")
              .means("bound of one request to the Kubernetes API, watches apart, {}"));

  private ProgramKey() {}

  private static <T> Option<T> add(Option<T> option) {
    ALL.add(option);
    return option;
  }

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return Collections.unmodifiableList(ALL);
  }
}
