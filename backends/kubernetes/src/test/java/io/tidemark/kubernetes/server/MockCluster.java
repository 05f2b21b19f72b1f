package io.tidemark.kubernetes.server;

import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The client library's own imitation of an API server, in this process: it keeps objects, lists and
 * watches. Before its answers others can be put, which a real server does not give on demand. It
 * checks no schema, no permission and not all versions: those are asked of {@link ApiServer}.
 * Thread-safe.
 *
 * <p>Registered as an extension, it ends after each test.
 */
public final class MockCluster implements AutoCloseable, AfterEachCallback {
  private static final CustomResourceDefinitionContext CILIUM_NODES =
      new CustomResourceDefinitionContext.Builder()
          .withName("ciliumnodes.cilium.io")
          .withGroup("cilium.io")
          .withVersion("v2")
          .withKind("CiliumNode")
          .withPlural("ciliumnodes")
          .withScope("Cluster")
          .withStatusSubresource(true)
          .build();

  /** Where it tells which resources it serves. */
  public static final String DISCOVERY = "/apis/cilium.io/v2";

  /** Tells every request otherwise; kept, since the library's log forgets what nobody holds. */
  private static final Logger TALK = Logger.getLogger(MockWebServer.class.getName());

  static {
    TALK.setLevel(Level.OFF);
  }

  private final KubernetesCrudDispatcher objects =
      new KubernetesCrudDispatcher(List.of(CILIUM_NODES));
  private final MockWebServer server = new MockWebServer();
  private final Queue<Planned> planned = new ConcurrentLinkedQueue<>();
  private final List<Asked> requests = new CopyOnWriteArrayList<>();

  private final List<Path> kubeconfigs = new CopyOnWriteArrayList<>();
  private @Nullable ClusterConnection connection;
  private volatile Optional<MockResponse> always = Optional.empty();

  private record Planned(Predicate<Asked> to, MockResponse answer, boolean once) {}

  /**
   * A request.
   *
   * @param path with what is asked for behind it; through a proxy the whole address
   * @param authorization who asks, as it was sent; empty text when it does not say
   * @param type of the body, likewise
   */
  public record Asked(String verb, String path, String authorization, String type, String body) {
    private static Asked of(RecordedRequest request) {
      return new Asked(
          request.getMethod(),
          request.getPath(),
          header(request, "Authorization"),
          header(request, "Content-Type"),
          new String(request.getBody().getBytes(), StandardCharsets.UTF_8));
    }

    private static String header(RecordedRequest request, String name) {
      String value = request.getHeader(name);
      return value == null ? "" : value;
    }
  }

  private MockCluster() {
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            Asked asked = Asked.of(request);
            requests.add(asked);
            return always
                .or(() -> plannedFor(asked))
                .or(() -> discovery(asked))
                .orElseGet(() -> objects.dispatch(request));
          }
        });
  }

  /** The discovery documents, which the library does not tell. */
  private static Optional<MockResponse> discovery(Asked asked) {
    return asked.path().equals(DISCOVERY)
        ? Optional.of(serves("ciliumnodes", "ciliumnodes/status"))
        : Optional.empty();
  }

  /** An answer to {@link #DISCOVERY}. */
  public static MockResponse serves(String... resources) {
    String names =
        Stream.of(resources)
            .map(name -> "{\"name\":\"" + name + "\",\"namespaced\":false,\"verbs\":[]}")
            .collect(Collectors.joining(","));
    return new MockResponse()
        .setResponseCode(200)
        .setBody(
            "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\","
                + "\"groupVersion\":\"cilium.io/v2\",\"resources\":["
                + names
                + "]}");
  }

  /** Without encryption. */
  public static MockCluster start() {
    MockCluster cluster = new MockCluster();
    cluster.server.start(InetAddress.getLoopbackAddress(), 0);
    return cluster;
  }

  /** With a certificate that nobody signed. */
  public static MockCluster startEncrypted() {
    MockCluster cluster = new MockCluster();
    cluster.server.useHttps();
    cluster.server.start(InetAddress.getLoopbackAddress(), 0);
    return cluster;
  }

  private Optional<MockResponse> plannedFor(Asked request) {
    return planned.stream()
        .filter(each -> each.to().test(request))
        .findFirst()
        .filter(each -> !each.once() || planned.remove(each))
        .map(Planned::answer);
  }

  /** Gives this answer to the next such request, once. */
  public void answerOnce(Predicate<Asked> to, MockResponse answer) {
    planned.add(new Planned(to, answer, true));
  }

  /** Gives this answer to each such request from now on. */
  public void answerEach(Predicate<Asked> to, MockResponse answer) {
    planned.add(new Planned(to, answer, false));
  }

  /** Gives this answer to every request from now on; empty: as a server does. */
  public void answerAll(Optional<MockResponse> answer) {
    always = answer;
  }

  /** Everything that was asked, in order. */
  public List<Asked> requests() {
    return List.copyOf(requests);
  }

  /** Requests with this verb. */
  public List<Asked> requests(String verb) {
    return requests.stream().filter(request -> request.verb().equals(verb)).toList();
  }

  public int port() {
    return server.getPort();
  }

  /** The status that a real server answers with. */
  public static MockResponse status(int code, String reason, String message) {
    return status(code, reason, message, "{}");
  }

  /** The same with details as JSON. */
  public static MockResponse status(int code, String reason, String message, String details) {
    return json("""
            {"kind":"Status","apiVersion":"v1","status":"RESULT","reason":"REASON",
             "message":"MESSAGE","code":CODE,"details":DETAILS}
            """
            .replace("RESULT", code < 300 ? "Success" : "Failure")
            .replace("REASON", reason)
            .replace("MESSAGE", message.replace("\"", "\\\""))
            .replace("CODE", Integer.toString(code))
            .replace("DETAILS", details))
        .setResponseCode(code);
  }

  /** The real server's word that an object is not there. */
  public static MockResponse notFound(String kind, String name) {
    String details = "{\"name\":\"%s\",\"kind\":\"%s\"}".formatted(name, kind);
    return status(404, "NotFound", kind + " \"" + name + "\" not found", details);
  }

  /** An answer with an object or a list. */
  public static MockResponse json(String body) {
    return new MockResponse()
        .setResponseCode(200)
        .setHeader("Content-Type", "application/json")
        .setBody(body);
  }

  /** The answer of a proxy that is no API server. */
  public static MockResponse page(int code) {
    return new MockResponse()
        .setResponseCode(code)
        .setHeader("Content-Type", "text/html")
        .setBody("<html><body>Bad gateway</body></html>");
  }

  /** A connection that ends with this; for one thread. */
  public ClusterConnection connection() {
    ClusterConnection made = connection == null ? connect(Hang.LIMIT) : connection;
    connection = made;
    return made;
  }

  /** A connection that the caller closes. */
  public ClusterConnection connect(Duration requestTimeout) {
    try {
      Path folder = Files.createTempDirectory("mock-cluster");
      kubeconfigs.add(folder.resolve("kubeconfig"));
      return connect(folder, requestTimeout);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@link #connect(Path, Duration)}, for requests that are answered. */
  public ClusterConnection connect(Path folder) throws IOException {
    return connect(folder, Hang.LIMIT);
  }

  /** A connection by a kubeconfig in that folder. */
  public ClusterConnection connect(Path folder, Duration requestTimeout) throws IOException {
    return ClusterConnection.open(access(folder, requestTimeout));
  }

  /** How a program reaches it, for requests that are answered. */
  public ClusterAccess access(Path folder) throws IOException {
    return access(folder, Hang.LIMIT);
  }

  private ClusterAccess access(Path folder, Duration requestTimeout) throws IOException {
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig(""));
    return new ClusterAccess(Optional.of(file), Optional.empty(), requestTimeout);
  }

  /**
   * A kubeconfig with one context, {@code mock}, and the token {@code secret}.
   *
   * @param more of the cluster's settings, each begun by a comma
   */
  public String kubeconfig(String more) {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - {name: mock, cluster: {server: "http://127.0.0.1:PORT"MORE}}
        users:
        - {name: user, user: {token: secret}}
        contexts:
        - {name: mock, context: {cluster: mock, user: user, namespace: ours}}
        current-context: mock
        """
        .replace("PORT", Integer.toString(port()))
        .replace("MORE", more);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
    for (Path each : kubeconfigs) {
      each.toFile().delete();
      Objects.requireNonNull(each.getParent()).toFile().delete();
    }
    shutDown();
  }

  /** Answers nothing any more. */
  public void shutDown() {
    try {
      server.shutdown();
    } catch (IllegalStateException e) {
      // The library waits ten seconds for connections of a client that has gone; nothing is asked
      // of them any more, and the port is never used again.
      System.err.println("The mock server did not end in time: " + e);
    }
  }
}
