package io.tidemark.kubernetes;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the Kubernetes API (node-manager 5.9, 8).
 *
 * @param nodesGcInterval interval of the search for resources without a node; empty for never
 * @param preAllocateCordoned whether cordoned and terminating nodes keep spare addresses
 * @param taintDelay how long a node has no address before it is tainted; empty for no taints
 * @param election settings of leader election
 * @param requests limit of all requests to the API; empty for none
 * @param requestTimeout timeout of one request, except watches
 */
public record KubernetesConfig(
    Optional<Duration> nodesGcInterval,
    boolean preAllocateCordoned,
    Optional<Duration> taintDelay,
    LeaderElectionConfig election,
    Optional<CallCeiling> requests,
    Duration requestTimeout) {
  private static final Duration LEAST_GC = Duration.ofSeconds(10);

  /** The settings when nothing is set. */
  public static KubernetesConfig defaults() {
    ConfigProblems problems = new ConfigProblems();
    KubernetesConfig config = read(ConfigSource.of(Map.of()), problems);
    problems.throwIfAny();
    return config;
  }

  /** The same without a lease, for a program that elects its leader by other means. */
  public KubernetesConfig withoutElection() {
    return new KubernetesConfig(
        nodesGcInterval,
        preAllocateCordoned,
        taintDelay,
        election.disabled(),
        requests,
        requestTimeout);
  }

  /**
   * Reads the keys of {@link KubernetesKey}. An invalid value is added to {@code problems} and
   * replaced by its default; use the result only if there are no problems.
   */
  public static KubernetesConfig read(ConfigSource source, ConfigProblems problems) {
    ConfigReader reader = new ConfigReader(source, problems);
    return new KubernetesConfig(
        gcInterval(reader),
        KubernetesKey.PRE_ALLOCATE_CORDONED.read(reader),
        taintDelay(reader),
        LeaderElectionConfig.read(reader),
        requests(reader),
        KubernetesKey.K8S_REQUEST_TIMEOUT.read(reader));
  }

  private static Optional<Duration> gcInterval(ConfigReader reader) {
    Duration interval = KubernetesKey.NODES_GC_INTERVAL.read(reader);
    if (interval.isZero()) {
      return Optional.empty();
    }
    if (interval.compareTo(LEAST_GC) < 0) {
      reader
          .problems()
          .invalid(
              reader.source(),
              KubernetesKey.NODES_GC_INTERVAL.key(),
              "0 for never, or a duration from 10s to 24h");
    }
    return Optional.of(interval);
  }

  private static Optional<Duration> taintDelay(ConfigReader reader) {
    boolean taints = KubernetesKey.TAINT_EXHAUSTED_NODES.read(reader);
    Duration delay = KubernetesKey.TAINT_DELAY.read(reader);
    return taints ? Optional.of(delay) : Optional.empty();
  }

  private static Optional<CallCeiling> requests(ConfigReader reader) {
    double rate = KubernetesKey.OPERATOR_K8S_CLIENT_QPS.read(reader);
    int burst = KubernetesKey.OPERATOR_K8S_CLIENT_BURST.read(reader);
    return rate > 0 && burst > 0 ? Optional.of(new CallCeiling(rate, burst)) : Optional.empty();
  }
}
