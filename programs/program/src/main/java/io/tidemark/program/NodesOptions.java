package io.tidemark.program;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.program.console.Console;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say where nodes are: in files, or in a cluster. */
public final class NodesOptions {
  @Option(
      names = "--nodes",
      paramLabel = "DIR|FILE",
      description =
          "Manifests of nodes: the *.yaml, *.yml and *.json files of a directory, or one file. The"
              + " default is a cluster: that of --kubeconfig or --context, or in a Pod its own.")
  private @Nullable Path nodes;

  @Mixin private final ClusterOptions cluster;

  /**
   * Options of a program.
   *
   * @param userAgent its name in the server's logs
   */
  public NodesOptions(String userAgent) {
    this.cluster = new ClusterOptions(userAgent);
  }

  /** Where the nodes are, for people. */
  public String place() {
    return nodes == null ? cluster.place() : nodes.toString();
  }

  /** Settings that the cluster keeps. */
  public Optional<ClusterSettings> settings(Map<String, String> environment, Console console) {
    return cluster.settings(environment, console);
  }

  /**
   * Where the nodes are.
   *
   * @param environment variables of the process
   * @throws IpamException {@code USAGE_REFUSED} when no place is named, or two
   */
  public <T> T choose(
      Map<String, String> environment,
      Function<Path, T> files,
      Function<ClusterOptions, T> inCluster) {
    if (nodes != null && cluster.isOnlyForNodes()) {
      throw new IpamException(
          CoreError.USAGE_REFUSED,
          "--nodes names files, --kubeconfig and --context a cluster; give one of them");
    }
    if (nodes != null) {
      return files.apply(nodes);
    }
    if (!cluster.given(environment)) {
      throw new IpamException(
          CoreError.USAGE_REFUSED,
          "there are no nodes: give --nodes, or --kubeconfig, KUBECONFIG or --context for those of"
              + " a cluster");
    }
    return inCluster.apply(cluster);
  }
}
