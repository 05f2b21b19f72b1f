package io.tidemark.operator.kubectl;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.kubernetes.leader.LeaderSearch;
import io.tidemark.kubernetes.leader.ListedNode;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.console.Console;
import io.tidemark.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command that asks the leader, and prints what it answers or what the objects show. Its options
 * are named as kubectl names them.
 */
abstract class LeaderCommand implements Callable<Integer> {
  final Console console;

  @Mixin private final CommonOptions common = new CommonOptions();

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The kubeconfig of the cluster. The default is the files of the variable KUBECONFIG; then"
              + " ~/.kube/config; then, in a pod, the service account.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "The context of the kubeconfig; the default is its current context.")
  private @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      defaultValue = "kube-system",
      description = "The namespace of the operator (default: ${DEFAULT-VALUE}).")
  private String namespace = "kube-system";

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "LABELS",
      description =
          "The labels of the operator's Pods, such as app.kubernetes.io/name=my-release. The"
              + " default is the names in deploy/.")
  private String selector = LeaderSearch.USUAL_SELECTOR;

  @Option(
      names = "--lease",
      paramLabel = "NAME",
      description =
          "The lease of the operator, where several modes run: tidemark-operator,"
              + " tidemark-node-cidr or tidemark-node-id. The default is the first that is held.")
  private @Nullable String lease;

  @Option(
      names = "--request-timeout",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = "Give up one request after this time (default: ${DEFAULT-VALUE}).")
  private Duration requestTimeout = Duration.ofSeconds(10);

  LeaderCommand(Console console) {
    this.console = console;
  }

  /** Says on the standard error who answers, or why nobody does. */
  @Override
  public final Integer call() {
    common.startLogging(console, CommonOptions.LogLevel.WARN);
    try (ClusterConnection cluster = connect()) {
      LeaderAnswer answer =
          new LeaderSearch(namespace, selector, Optional.ofNullable(lease))
              .ask(cluster, Instant.ofEpochMilli(SystemTime.instance().epochMillis()));
      console.note("tidemark: " + answer.origin());
      return print(cluster, answer).number();
    }
  }

  /** A connection with the person's own credentials; its secrets are masked in all output. */
  private ClusterConnection connect() {
    return ClusterConnection.open(
        new ClusterAccess(
            Optional.ofNullable(kubeconfig),
            Optional.ofNullable(context),
            requestTimeout,
            console.secrets()::learn,
            KubernetesNodeResourceStore.FIELD_MANAGER));
  }

  /** Prints the answer; may send more requests. */
  abstract ExitCode print(ClusterConnection cluster, LeaderAnswer answer);

  /**
   * The leader's status, else what the objects show.
   *
   * @throws IpamException {@code CLUSTER_ACCESS} when neither can be read
   */
  static StatusDocumentJson document(ClusterConnection cluster, LeaderAnswer answer) {
    if (answer.leader().isPresent()) {
      return StatusDocumentJson.of(answer.leader().get().status());
    }
    try {
      return StatusDocumentJson.of(ListedNodes.read(cluster, answer.leases()), answer.reason());
    } catch (ListedNode.Unreadable e) {
      throw new IpamException(
          CoreError.CLUSTER_ACCESS, "the nodes cannot be listed: " + e.reason(), e);
    }
  }

  final boolean json() {
    return common.json();
  }
}
