package io.tidemark.kubernetes.server;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A kube-apiserver with its etcd on loopback, from the binaries in {@code TIDEMARK_KUBE_BIN}
 * (.ci/kubernetes). It knows CiliumNodes, checks permissions, and has no controllers: nothing is
 * garbage-collected, no pod starts. Not thread-safe.
 *
 * <p>Registered as an extension of a class, it runs for all of its tests.
 */
public final class ApiServer implements AutoCloseable, BeforeAllCallback, AfterAllCallback {
  private static final HttpClient ETCD = HttpClient.newHttpClient();

  private final Path home;
  private final Credentials credentials;
  private final Path bin;
  private final int port;
  private final int etcdPort;
  private final int etcdPeerPort;
  private final List<String> extra;
  private @Nullable Process etcd;
  private @Nullable Process apiServer;
  private @Nullable ClusterConnection admin;

  private ApiServer(Path bin, List<String> extra) throws IOException {
    this.bin = bin;
    this.extra = extra;
    this.home = Files.createTempDirectory("tidemark-kube");
    this.credentials = Credentials.in(home);
    this.port = FreePorts.next();
    this.etcdPort = FreePorts.next();
    this.etcdPeerPort = FreePorts.next();
  }

  /** Starts one, with further flags of kube-apiserver; blocks until it serves CiliumNodes. */
  public static ApiServer start(String... flags) throws IOException {
    ApiServer server = new ApiServer(binaries(), List.of(flags));
    server.start();
    return server;
  }

  /** One that starts before the tests of a class, and ends after them. */
  public static ApiServer ofClass() {
    try {
      return new ApiServer(binaries(), List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    start();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  private void start() throws IOException {
    try {
      startEtcd();
      startApiServer();
      define("ciliumnodes-crd.yaml");
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The administrator's connection, which ends with this. */
  public ClusterConnection admin() {
    try {
      ClusterConnection made = admin == null ? connect(User.ADMIN) : admin;
      admin = made;
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder with kube-apiserver, etcd, kubectl, kustomize and helm. */
  public static Path binaries() {
    String bin = System.getenv("TIDEMARK_KUBE_BIN");
    if (bin == null) {
      throw new IllegalStateException(
          "TIDEMARK_KUBE_BIN is not set; run the tests through .ci/kubernetes/run");
    }
    return Path.of(bin);
  }

  /** Who may ask. */
  public enum User {
    /** May do everything. */
    ADMIN("system:masters"),
    /** May do what a role binding gives to group {@code operators}. */
    OPERATOR("operators"),
    /** Another one of the same rights. */
    STANDBY("operators"),
    /** May do nothing. */
    NOBODY("nobodies");

    private final String group;

    User(String group) {
      this.group = group;
    }

    String group() {
      return group;
    }

    /** The name in audit and errors. */
    public String login() {
      return name().toLowerCase(Locale.ROOT);
    }

    String token() {
      return login() + "-token";
    }
  }

  /** Starts it, or starts it again on the same ports and data; does not wait for it. */
  public void startEtcd() throws IOException {
    String client = "http://127.0.0.1:" + etcdPort;
    String peer = "http://127.0.0.1:" + etcdPeerPort;
    etcd =
        process(
            "etcd",
            List.of(
                bin.resolve("etcd").toString(),
                "--data-dir=" + home.resolve("etcd"),
                "--log-level=warn",
                "--unsafe-no-fsync",
                "--quota-backend-bytes=4294967296",
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer));
  }

  /** Starts it, or starts it again on the same port and data; blocks until it is ready. */
  public void startApiServer() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                bin.resolve("kube-apiserver").toString(),
                "--etcd-servers=http://127.0.0.1:" + etcdPort,
                "--etcd-compaction-interval=0",
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
                "--endpoint-reconciler-type=none",
                "--cert-dir=" + credentials.certificates(),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--token-auth-file=" + credentials.tokens(),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + credentials.publicKey(),
                "--service-account-signing-key-file=" + credentials.privateKey(),
                "--authorization-mode=RBAC",
                "--disable-admission-plugins=ServiceAccount",
                "--max-requests-inflight=0",
                "--max-mutating-requests-inflight=0",
                "--enable-priority-and-fairness=false",
                "--profiling=false"));
    command.addAll(extra);
    Process running = process("kube-apiserver", command);
    apiServer = running;
    awaitReady(running);
  }

  /** Ends it at once, as a crash does; what it stored stays. */
  public void killApiServer() {
    end(apiServer);
  }

  /** Ends etcd at once, as a crash does; what it stored stays. */
  public void killEtcd() {
    end(etcd);
  }

  /** Copies what etcd holds, which is away for a moment; blocks until all is ready. */
  public Path backUp() throws IOException {
    killEtcd();
    Path backup = Files.createTempDirectory(home, "backup");
    copy(home.resolve("etcd"), backup);
    startEtcd();
    awaitReady(Objects.requireNonNull(apiServer));
    return backup;
  }

  /**
   * Goes back to a copy, and starts the API server again.
   *
   * @param raised the revision is raised above this one, and nothing is marked as compacted
   */
  public void restore(Path backup, long raised) throws IOException {
    killApiServer();
    killEtcd();
    delete(home.resolve("etcd"));
    copy(backup, Files.createDirectory(home.resolve("etcd")));
    startEtcd();
    Eventually.holds("the revision is raised", () -> isRaised(raised));
    startApiServer();
  }

  private boolean isRaised(long revision) {
    try {
      while (revision() <= revision) {
        etcdCall("put", "{\"key\":\"cmFpc2Vk\",\"value\":\"\"}");
      }
      return true;
    } catch (IOException e) {
      return false; // etcd does not answer yet
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.filter(file -> !file.equals(from)).toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  /** How often etcd was written so far. */
  public long revision() throws IOException {
    return json(etcdCall("range", "{\"key\":\"AA==\"}"), "revision")
        .map(Long::parseLong)
        .orElseThrow(() -> new IOException("etcd names no revision"));
  }

  /** Makes etcd forget all older versions, so that a watch from one of them is refused. */
  public void compact() throws IOException {
    etcdCall("compaction", "{\"revision\":\"" + revision() + "\",\"physical\":true}");
  }

  private String etcdCall(String what, String body) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + etcdPort + "/v3/kv/" + what);
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(body)).build();
    try {
      HttpResponse<String> answer = ETCD.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static Optional<String> json(String text, String field) {
    Matcher matcher = Pattern.compile('"' + field + "\":\"(\\d+)\"").matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** A kubeconfig with one context, {@code test}. */
  public Path kubeconfig(User user) throws IOException {
    return credentials.kubeconfig(user, port);
  }

  /** A kubeconfig for another port, behind which this server is. */
  public Path kubeconfig(User user, int at) throws IOException {
    return credentials.kubeconfig(user, at);
  }

  /** Where it listens, on loopback. */
  public int port() {
    return port;
  }

  /** Makes a namespace, as the administrator. */
  public void createNamespace(String name) {
    String namespace =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}";
    admin().client().raw("/api/v1/namespaces", "POST", namespace.formatted(name));
  }

  /** A connection of that user. */
  public ClusterConnection connect(User user) throws IOException {
    return connect(user, port);
  }

  /** A connection of that user over another port, behind which this server is. */
  public ClusterConnection connect(User user, int at) throws IOException {
    return ClusterConnection.open(
        new ClusterAccess(
            Optional.of(credentials.kubeconfig(user, at)),
            Optional.empty(),
            Duration.ofSeconds(10)));
  }

  /**
   * Applies the objects of a resource beside this class, and waits until CiliumNodes are served.
   */
  private void define(String resource) throws IOException {
    try (ClusterConnection admin = connect(User.ADMIN);
        InputStream in = ApiServer.class.getResourceAsStream(resource)) {
      KubernetesClient client = admin.client();
      client.load(in).create();
      Eventually.holds(
          "CiliumNodes are served", () -> client.raw(CiliumNodes.PATH + "?limit=1") != null);
    }
  }

  private void awaitReady(Process running) {
    Eventually.holds(
        "kube-apiserver is ready",
        () -> {
          expectAlive("kube-apiserver", running);
          expectAlive("etcd", etcd);
          if (!Files.exists(credentials.certificate())) {
            return false;
          }
          try (ClusterConnection admin = connect(User.ADMIN)) {
            return "ok".equals(admin.client().raw("/readyz"));
          } catch (RuntimeException e) {
            return false;
          }
        });
  }

  private void expectAlive(String name, @Nullable Process process) {
    if (process != null && !process.isAlive()) {
      throw new IllegalStateException(name + " ended: " + log(name));
    }
  }

  private String log(String name) {
    try (Stream<String> lines = Files.lines(home.resolve(name + ".log"))) {
      List<String> all = lines.toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - 8), all.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Process process(String name, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve(name + ".log").toFile()))
        .start();
  }

  private static void end(@Nullable Process process) {
    if (process != null) {
      process.destroyForcibly();
      process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close();
    }
    end(apiServer);
    end(etcd);
    try {
      delete(home);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
