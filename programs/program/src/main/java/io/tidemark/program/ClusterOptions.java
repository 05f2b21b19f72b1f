package io.tidemark.program;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConfigMap;
import io.tidemark.program.console.Console;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the commands that may ask a cluster. */
public final class ClusterOptions {
  /** Set in every pod. */
  private static final String IN_CLUSTER = "KUBERNETES_SERVICE_HOST";

  /** Files that are merged, as kubectl does. */
  private static final String KUBECONFIG = "KUBECONFIG";

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The kubeconfig. The default is the variable KUBECONFIG; then, with --context,"
              + " ~/.kube/config; then, in a pod, the service account.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: the current).")
  private @Nullable String context;

  @Option(
      names = "--config-map",
      paramLabel = "NAMESPACE/NAME",
      description =
          "A ConfigMap with settings, such as kube-system/cilium-config; unknown keys are ignored."
              + " Every other source takes precedence.")
  private @Nullable String configMap;

  private final String userAgent;

  /**
   * Options of a program.
   *
   * @param userAgent its name in the server's logs
   */
  public ClusterOptions(String userAgent) {
    this.userAgent = userAgent;
  }

  private boolean isNamed() {
    return kubeconfig != null || context != null;
  }

  /** Whether a cluster is named that no settings are read from. */
  boolean isOnlyForNodes() {
    return isNamed() && configMap == null;
  }

  /**
   * Whether there is a cluster to ask; inside one it need not be named. The user's own file alone
   * names none: nobody is to work on a cluster by chance.
   *
   * @param environment variables of the process
   */
  public boolean given(Map<String, String> environment) {
    return isNamed()
        || environment.containsKey(IN_CLUSTER)
        || !environment.getOrDefault(KUBECONFIG, "").isEmpty();
  }

  /** Whether settings are read from the cluster. */
  public boolean hasConfigMap() {
    return configMap != null;
  }

  String place() {
    return context == null ? "the cluster" : "the cluster of context " + context;
  }

  /** How to reach it, with this bound of one request; its secrets are masked in all output. */
  public ClusterAccess access(Console console, Duration requestTimeout) {
    return new ClusterAccess(
        Optional.ofNullable(kubeconfig),
        Optional.ofNullable(context),
        requestTimeout,
        console.secrets()::learn,
        userAgent);
  }

  /**
   * Settings that the cluster keeps; empty when none are asked for.
   *
   * @throws IpamException {@code USAGE_REFUSED} when there is no cluster to ask, or the place is
   *     none
   */
  public Optional<ClusterSettings> settings(Map<String, String> environment, Console console) {
    if (configMap == null) {
      return Optional.empty();
    }
    int slash = configMap.indexOf('/');
    if (slash < 1 || slash == configMap.length() - 1 || slash != configMap.lastIndexOf('/')) {
      throw new IpamException(
          CoreError.USAGE_REFUSED, "--config-map is '" + configMap + "'; expected NAMESPACE/NAME");
    }
    if (!given(environment)) {
      throw new IpamException(
          CoreError.USAGE_REFUSED,
          "--config-map needs a cluster: give --kubeconfig, KUBECONFIG or --context, or run it"
              + " inside one");
    }
    ClusterConfigMap place =
        new ClusterConfigMap(configMap.substring(0, slash), configMap.substring(slash + 1));
    return Optional.of(
        new ConfigMapSettings(place, access(console, ClusterAccess.USUAL.requestTimeout())));
  }
}
