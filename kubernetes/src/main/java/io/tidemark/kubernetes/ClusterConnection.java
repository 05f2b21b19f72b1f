package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A client of one API server. Thread-safe. Requests are never repeated by the client library: who
 * asks decides.
 *
 * <p>Proxies of the surroundings ({@code HTTPS_PROXY}, {@code NO_PROXY}) and of the kubeconfig
 * ({@code proxy-url}) are honoured; the API server's own address belongs in {@code NO_PROXY} where
 * the proxy cannot reach it.
 */
public final class ClusterConnection implements AutoCloseable {
  /**
   * Between two attempts of a watch to come back, at first. The library doubles it five times, so
   * that after a long outage a watch is back within five seconds.
   */
  private static final int WATCH_PAUSE_MILLIS = 150;

  private final KubernetesClient client;
  private final Runnable end;

  private ClusterConnection(KubernetesClient client, Runnable end) {
    this.client = Objects.requireNonNull(client, "client");
    this.end = end;
  }

  /**
   * Connects; nothing is asked yet.
   *
   * @throws IpamException {@code CLUSTER_ACCESS} when the kubeconfig cannot be read or has no such
   *     context, or nothing says where the API server is
   */
  public static ClusterConnection open(ClusterAccess access) {
    Config config = read(access);
    // Set here and not by a builder, which would read the surroundings once more and mix what
    // belongs to their current context into another one: who we are, and whom we trust.
    int timeout = Math.toIntExact(access.requestTimeout().toMillis());
    config.setRequestTimeout(timeout);
    config.setConnectionTimeout(timeout);
    config.setRequestRetryBackoffLimit(0);
    config.setWatchReconnectInterval(WATCH_PAUSE_MILLIS);
    config.setWatchReconnectLimit(-1);
    config.setUserAgent("tidemark-operator");
    SentCredentials sent = new SentCredentials(access.secrets());
    sent.tell(config);
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor(SentCredentials.NAME, sent))
            .build();
    return new ClusterConnection(client, client::close);
  }

  /** Uses a client that belongs to somebody else, who closes it. */
  public static ClusterConnection of(KubernetesClient client) {
    return new ClusterConnection(client, () -> {});
  }

  /** The client library's own interface. */
  public KubernetesClient client() {
    return client;
  }

  /** Where the API server is, for people. */
  public String server() {
    return client.getMasterUrl().toString();
  }

  /** The namespace of the service account or of the context; {@code default} when none is said. */
  public String namespace() {
    String namespace = client.getConfiguration().getNamespace();
    return namespace == null || namespace.isEmpty() ? "default" : namespace;
  }

  @Override
  public void close() {
    end.run();
  }

  private static Config read(ClusterAccess access) {
    Optional<Path> file = access.kubeconfig();
    if (file.isPresent() && !Files.isReadable(file.get())) {
      throw refused("the kubeconfig " + file.get() + " cannot be read");
    }
    String context = access.context().orElse(null);
    Config config;
    try {
      config =
          file.isPresent()
              ? withProxies(Config.fromKubeconfig(context, kubeconfig(file.get())))
              : Config.autoConfigure(context);
      TokenFile.of(config).ifPresent(config::setOauthTokenProvider);
    } catch (RuntimeException e) { // of the library, or of what it reads YAML with
      throw refused("the kubeconfig is refused: " + e.getMessage());
    }
    if (context != null
        && (config.getCurrentContext() == null
            || !context.equals(config.getCurrentContext().getName()))) {
      throw refused("there is no context '" + context + "'");
    }
    return config;
  }

  /** Takes the proxies of the surroundings where the kubeconfig names none. */
  private static Config withProxies(Config config) {
    Config around = Config.empty();
    Config.configFromSysPropsOrEnvVars(around);
    if (config.getHttpProxy() == null && config.getHttpsProxy() == null) {
      config.setHttpProxy(around.getHttpProxy());
      config.setHttpsProxy(around.getHttpsProxy());
      config.setProxyUsername(around.getProxyUsername());
      config.setProxyPassword(around.getProxyPassword());
      config.setNoProxy(around.getNoProxy());
    }
    return config;
  }

  private static File kubeconfig(Path file) {
    return file.toFile();
  }

  private static IpamException refused(String problem) {
    return new IpamException(CoreError.CLUSTER_ACCESS, problem);
  }
}
