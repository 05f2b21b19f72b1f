package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ApiFailure.Kind;
import io.tidemark.kubernetes.http.LiveConnections;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client of one API server. Thread-safe. The client library never repeats requests: the caller
 * decides.
 *
 * <p>Proxies of the environment ({@code HTTPS_PROXY}, {@code NO_PROXY}) and of the kubeconfig
 * ({@code proxy-url}) are honoured; the API server's own address belongs in {@code NO_PROXY} where
 * the proxy cannot reach it.
 */
public final class ClusterConnection implements AutoCloseable {
  /**
   * The first pause before a broken watch reconnects. The library doubles it five times, so that
   * after a long outage a watch is back within five seconds.
   */
  private static final int WATCH_PAUSE_MILLIS = 150;

  /** Where the operator runs, as it is shipped. */
  private static final String USUAL_NAMESPACE = "kube-system";

  private static final int PAGES_MAX = 1_000;

  private final KubernetesClient client;
  private final RawRequests requests;
  private final Optional<Watched> watched;
  private final Watches watches;

  /** Finds out whether the server accepts the credentials of a client of ours. */
  private record Watched(CredentialCheck check, CauseRequest cause) {}

  private ClusterConnection(
      KubernetesClient client, RawRequests requests, Optional<Watched> watched, Watches watches) {
    this.client = Objects.requireNonNull(client, "client");
    this.requests = requests;
    this.watched = watched;
    this.watches = watches;
  }

  /**
   * Connects; sends no request yet.
   *
   * @throws IpamException {@code CLUSTER_ACCESS} when the kubeconfig cannot be read or has no such
   *     context, its certificate or key is broken, or the address of the API server is unknown
   */
  public static ClusterConnection open(ClusterAccess access) {
    return open(access, WatchPace.USUAL);
  }

  /** As {@link #open(ClusterAccess)}, where something else is expected of watches. */
  public static ClusterConnection open(ClusterAccess access, WatchPace pace) {
    Config config = ClientConfig.read(access);
    // Set here and not by a builder, which would read the environment once more and mix what
    // belongs to its current context into another one: who we are, and whom we trust.
    int timeout = Math.toIntExact(access.requestTimeout().toMillis());
    config.setRequestTimeout(timeout);
    config.setConnectionTimeout(timeout);
    config.setRequestRetryBackoffLimit(0);
    config.setWatchReconnectInterval(WATCH_PAUSE_MILLIS);
    config.setWatchReconnectLimit(-1);
    config.setUserAgent(access.userAgent());
    SentCredentials sent = new SentCredentials(access.secrets());
    sent.tell(config);
    CredentialCheck check =
        new CredentialCheck(
            config.getMasterUrl(), CredentialSource.of(config, ClientConfig.user(config)));
    Watches watches = Watches.start(pace);
    KubernetesClient client;
    try {
      client =
          build(
              config,
              access.requestTimeout(),
              new LiveConnections(watches.timer(), pace.sockets()),
              sent,
              check);
    } catch (IpamException e) {
      watches.close();
      throw e;
    }
    CauseRequest cause = new CauseRequest(config, sent, check);
    return new ClusterConnection(
        client, RequestForm.withoutTimer(client), Optional.of(new Watched(check, cause)), watches);
  }

  /** The library reads certificates and keys here, whatever the server's scheme is. */
  private static KubernetesClient build(
      Config config,
      Duration requestTimeout,
      LiveConnections connections,
      SentCredentials sent,
      CredentialCheck check) {
    try {
      return new KubernetesClientBuilder()
          .withConfig(config)
          .withHttpClientFactory(connections)
          .withKubernetesSerialization(new ClientJson())
          .withHttpClientBuilderConsumer(
              http ->
                  http.addOrReplaceInterceptor(RequestForm.NAME, new RequestForm(requestTimeout))
                      .addOrReplaceInterceptor(SentCredentials.NAME, sent)
                      .addOrReplaceInterceptor(CredentialCheck.NAME, check))
          .build();
    } catch (KubernetesClientException e) {
      throw ClientConfig.unusable(config, e);
    }
  }

  /** Uses a client of the caller, who closes it. */
  public static ClusterConnection of(KubernetesClient client) {
    return new ClusterConnection(
        client, new RawRequests(client), Optional.empty(), Watches.start(WatchPace.USUAL));
  }

  /** The watches over this connection. */
  public Watches watches() {
    return watches;
  }

  /** The client library's own interface. */
  public KubernetesClient client() {
    return client;
  }

  /**
   * From now on, JSON of this kind is read as {@code type} instead of the library's own class.
   * Without effect on a client of the caller, who may use another type.
   */
  public void registerType(Class<? extends HasMetadata> type) {
    if (watched.isPresent()) {
      client.getKubernetesSerialization().registerKubernetesResource(type);
    }
  }

  /**
   * Sends one request and blocks until its answer, which is left as text. A {@code PATCH} is a
   * merge patch, of a status a strategic one.
   *
   * @param path begins with a slash; may have a query
   * @throws KubernetesClientException when the answer is a refusal, or there is none
   */
  public String send(String method, String path, @Nullable String body) {
    return requests.handleRaw(String.class, path, method, body);
  }

  /**
   * Sends one {@code GET} and does not wait for its answer.
   *
   * @param path begins with a slash; may have a query
   * @return the body of the answer; ends with {@link KubernetesClientException} when that is a
   *     refusal, and with an {@link java.io.IOException} when there is none
   */
  public CompletableFuture<byte[]> fetch(String path) {
    return requests.fetch(path);
  }

  /**
   * Blocks until the answer to a {@link #fetch} is there.
   *
   * @throws KubernetesClientException when it is a refusal, or there is none
   */
  public <T> T await(CompletableFuture<T> answer) {
    return requests.await(answer);
  }

  /**
   * One page of a list.
   *
   * @param next continues with the next page; empty text when this is the last
   */
  public record Page<T>(T content, String next) {}

  /**
   * The pages of a list; blocks for one request per 500 objects.
   *
   * @param path without a query
   * @param reader reads the answer to one request
   * @throws KubernetesClientException as of {@link #send}, and when the list has no end
   */
  public <T> List<T> pages(String path, Function<String, Page<T>> reader) {
    List<T> pages = new ArrayList<>();
    String next = "";
    for (int i = 0; i < PAGES_MAX; i++) {
      Page<T> page = reader.apply(send("GET", path + "?limit=500" + next, null));
      pages.add(page.content());
      if (page.next().isEmpty()) {
        return pages;
      }
      next = "&continue=" + URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
    }
    throw new KubernetesClientException("the list of " + path + " has no end");
  }

  /** Bound of one request, watches apart. */
  public Duration requestTimeout() {
    return Duration.ofMillis(client.getConfiguration().getRequestTimeout());
  }

  /** Where the API server is, for people. */
  public String server() {
    return client.getMasterUrl().toString();
  }

  /**
   * The namespace of the service account or of the context; {@code kube-system}, for which the
   * shipped Role is, without either.
   */
  public String namespace() {
    Config config = client.getConfiguration();
    String named =
        config.getCurrentContext() == null
            ? config.getNamespace()
            : config.getCurrentContext().getContext().getNamespace();
    return named == null || named.isEmpty() ? USUAL_NAMESPACE : named;
  }

  /**
   * The parameters in the URL of a change: who makes it, and how long the server may work on it,
   * which is as long as the answer is awaited.
   */
  public String changeParameters(String fieldManager) {
    return "?fieldManager="
        + fieldManager
        + "&timeout="
        + Math.max(1, requestTimeout().toSeconds())
        + "s";
  }

  /** The failure of a request, with the server's address if it did not respond. Never blocks. */
  public ApiFailure failure(KubernetesClientException thrown) {
    return explained(ApiFailure.of(thrown));
  }

  /**
   * The failure of a list or watch, with the server's address if it did not respond. Never blocks.
   *
   * @param resource plural, as a role names it
   */
  public ApiFailure watchFailure(Throwable thrown, String resource) {
    KubernetesClientException outermost = null;
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof KubernetesClientException e) {
        if (e.getCode() != 0) {
          return explained(ApiFailure.ofWatch(e, resource));
        }
        outermost = outermost == null ? e : outermost;
      }
    }
    return explained(ApiFailure.ofAny(outermost == null ? thrown : outermost));
  }

  /** A refused credential explains every request without an answer. */
  private ApiFailure explained(ApiFailure failure) {
    if (watched.isEmpty()) {
      return failure.at(server());
    }
    boolean unanswered = failure.kind() == Kind.CLOSED || failure.kind() == Kind.UNKNOWN;
    Optional<String> refusal = watched.get().check().refusal();
    if (refusal.isPresent() && (unanswered || failure.kind() == Kind.UNAUTHORIZED)) {
      return failure.withText(Kind.UNAUTHORIZED, refusal.get());
    }
    if (failure.kind() == Kind.CLOSED) {
      watched.get().cause().ask();
    }
    return failure.at(server());
  }

  @Override
  public void close() {
    watched.ifPresent(
        own -> {
          own.cause().close();
          client.close();
        });
    watches.close();
  }
}
