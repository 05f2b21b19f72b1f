package io.tidemark.operator;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.manifests.DirectoryBackend;
import io.tidemark.program.ClusterSettings;
import io.tidemark.program.NodesOptions;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that look at nodes. */
final class NodeOptions {
  @Mixin
  private final NodesOptions nodes = new NodesOptions(KubernetesNodeResourceStore.FIELD_MANAGER);

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "Give up after this time, such as 90s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofMinutes(5);

  /** Where the nodes are, for people. */
  String place() {
    return nodes.place();
  }

  /** Settings that the cluster keeps. */
  Optional<ClusterSettings> settings(Surroundings surroundings) {
    return nodes.settings(surroundings.environment(), surroundings.console());
  }

  /**
   * Where the nodes are.
   *
   * @param readOnly whether nothing is changed, so that nothing is tainted either
   * @throws IpamException {@code USAGE_REFUSED} when no place is named, or two, or manifests are to
   *     be tainted
   */
  NodeBackend.Opener backend(Surroundings surroundings, KubernetesConfig config, boolean readOnly) {
    return nodes.choose(
        surroundings.environment(),
        folder -> {
          if (!readOnly && config.taintDelay().isPresent()) {
            throw new IpamException(
                CoreError.USAGE_REFUSED,
                "taint-exhausted-nodes needs a cluster: manifests have no Kubernetes Nodes");
          }
          return DirectoryBackend.at(folder);
        },
        cluster ->
            KubernetesBackend.connecting(
                cluster.access(surroundings.console(), config.requestTimeout())));
  }

  /**
   * Where the Nodes are that get pod CIDRs.
   *
   * @throws IpamException {@code USAGE_REFUSED} when no place is named, or two
   */
  ClusterNodeBackend.Opener clusterNodes(Surroundings surroundings, KubernetesConfig config) {
    return nodes.choose(
        surroundings.environment(),
        DirectoryBackend::ofClusterNodes,
        cluster ->
            KubernetesBackend.ofClusterNodes(
                cluster.access(surroundings.console(), config.requestTimeout())));
  }

  /**
   * Where the CiliumNodes are that get pod CIDRs.
   *
   * @throws IpamException {@code USAGE_REFUSED} when no place is named, or two
   */
  NodeBackend.Opener ciliumNodes(Surroundings surroundings, KubernetesConfig config) {
    return nodes.choose(
        surroundings.environment(),
        DirectoryBackend::at,
        cluster ->
            KubernetesBackend.withoutPods(
                cluster.access(surroundings.console(), config.requestTimeout())));
  }

  /**
   * Where the nodes are that get ids, with the claims.
   *
   * @throws IpamException {@code USAGE_REFUSED} when no place is named, or two
   */
  ClaimBackend.Opener nodeIdBackend(Surroundings surroundings, Settings settings) {
    String namespace = settings.nodeId().orElseThrow().assignment().namespace();
    Duration bound = settings.kubernetes().requestTimeout();
    return nodes.choose(
        surroundings.environment(),
        DirectoryBackend::withClaims,
        cluster ->
            KubernetesBackend.withClaims(namespace, cluster.access(surroundings.console(), bound)));
  }

  Duration timeout() {
    return timeout;
  }
}
