package io.tidemark.operator;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.manifests.DirectoryBackend;
import io.tidemark.program.ClusterSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that look at nodes. */
final class NodeOptions {
  @Option(
      names = "--nodes",
      paramLabel = "DIR|FILE",
      description =
          "CiliumNode manifests: the *.yaml, *.yml and *.json files of a directory, or one file;"
              + " one or more objects per file, or a kubectl list. The default is the nodes of a"
              + " cluster: of --kubeconfig or --context, or the one that the program runs in.")
  private @Nullable Path nodes;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "Give up after this time, such as 90s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofMinutes(5);

  /** Where the nodes are, for people. */
  String place() {
    return nodes == null ? cluster.place() : nodes.toString();
  }

  /** Settings that the cluster keeps. */
  Optional<ClusterSettings> settings(Surroundings surroundings) {
    return cluster.settings(surroundings);
  }

  /**
   * Where the nodes are.
   *
   * @throws IpamException {@code USAGE_REFUSED} when no place is named, or two
   */
  NodeBackend.Opener backend(Surroundings surroundings, KubernetesConfig config) {
    if (nodes != null && cluster.isOnlyForNodes()) {
      throw new IpamException(
          CoreError.USAGE_REFUSED,
          "--nodes names files, --kubeconfig and --context a cluster; give one of them");
    }
    if (nodes != null) {
      return DirectoryBackend.at(nodes);
    }
    if (!cluster.given(surroundings)) {
      throw new IpamException(
          CoreError.USAGE_REFUSED,
          "there are no nodes: give --nodes, or --kubeconfig, KUBECONFIG or --context for those of"
              + " a"
              + " cluster");
    }
    return KubernetesBackend.connecting(cluster.access(surroundings, config.requestTimeout()));
  }

  Duration timeout() {
    return timeout;
  }
}
