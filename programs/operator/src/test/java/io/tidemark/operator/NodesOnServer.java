package io.tidemark.operator;

import static java.lang.ProcessBuilder.Redirect.DISCARD;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For each test a real API server, its Kubernetes Nodes, and the program that works on them. */
final class NodesOnServer implements BeforeEachCallback, AfterEachCallback {
  /** Settings of a lease that changes hands within seconds. */
  static final String QUICK =
      " --leader-election-lease-duration=3s --leader-election-renew-deadline=2s"
          + " --leader-election-retry-period=200ms";

  private static final String NODES = "/api/v1/nodes";

  private final List<Process> processes = new ArrayList<>();
  private @Nullable ApiServer server;
  private @Nullable ClusterConnection admin;

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    ApiServer started = ApiServer.start();
    server = started;
    admin = started.connect(User.ADMIN);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    processes.forEach(Process::destroyForcibly);
    admin().close();
    server().close();
  }

  ApiServer server() {
    return Objects.requireNonNull(server, "server");
  }

  ClusterConnection admin() {
    return Objects.requireNonNull(admin, "admin");
  }

  private String[] arguments(String words) throws IOException {
    return Program.arguments(words, "--kubeconfig=" + server().kubeconfig(User.ADMIN));
  }

  /** Runs a command on this cluster to its end. */
  Result run(String words) throws IOException {
    return Program.run(arguments(words));
  }

  /** The same for a command that must end with 0. */
  Result succeeds(String words) throws IOException {
    Result result = run(words).ends(0);
    return result;
  }

  /** Starts a command that runs until the test stops it. */
  Program start(String words) throws IOException {
    return Program.start(arguments(words));
  }

  /** Starts a process of its own, which can be killed, and waits until it has the lease. */
  Process leader(String words, String lease) throws IOException {
    Process leader =
        Program.process(List.of(arguments(words)))
            .redirectError(DISCARD)
            .redirectOutput(DISCARD)
            .start();
    processes.add(leader);
    Eventually.holds("it leads", () -> hasLease(lease));
    return leader;
  }

  /** Starts a scheduler, which places pods on nodes until the test ends. */
  void schedule() throws IOException {
    processes.add(
        new ProcessBuilder(
                ApiServer.binaries().resolve("kube-scheduler").toString(),
                "--kubeconfig=" + server().kubeconfig(User.ADMIN),
                "--leader-elect=false",
                "--secure-port=0")
            .redirectError(DISCARD)
            .redirectOutput(DISCARD)
            .start());
  }

  static void kill(Process process) throws InterruptedException {
    assertThat(process.destroyForcibly().waitFor(20, TimeUnit.SECONDS)).isTrue();
  }

  void create(String name) {
    create(name, "{}");
  }

  /** A node with a spec in JSON. */
  void create(String name, String spec) {
    String node =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\""
            + name
            + "\"},\"spec\":"
            + spec
            + "}";
    admin().client().raw(NODES, "POST", node);
  }

  /** Nodes n0, n1 and so on. */
  void create(int count) {
    IntStream.range(0, count).parallel().forEach(i -> create("n" + i));
  }

  void patch(String name, String patch) {
    admin().client().raw(NODES + '/' + name, "PATCH", patch);
  }

  void delete(String name) {
    admin().client().raw(NODES + '/' + name, "DELETE", null);
  }

  List<Node> nodes() {
    return admin().client().nodes().list().getItems();
  }

  List<String> versions() {
    return nodes().stream().map(node -> node.getMetadata().getResourceVersion()).toList();
  }

  private boolean hasLease(String name) {
    return admin().client().leases().inAnyNamespace().list().getItems().stream()
        .anyMatch(lease -> lease.getMetadata().getName().equals(name));
  }

  /** Events about Nodes. */
  List<Event> events(Predicate<Event> wanted) {
    return admin().client().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> "Node".equals(event.getInvolvedObject().getKind()))
        .filter(wanted)
        .toList();
  }
}
