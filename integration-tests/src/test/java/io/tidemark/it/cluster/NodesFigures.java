package io.tidemark.it.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidemark.it.program.ProcessUse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How fast all nodes of a cluster get something of their own, on a real API server, as printed
 * lines: each contender on a server of its own that has all nodes. For one thread.
 *
 * @param <N> Nodes or CiliumNodes
 */
final class NodesFigures<N> {
  private static final Duration MAX = Duration.ofMinutes(20);
  private static final int WRITERS = 16;
  static final String[] NO_LIMITS = {"--kube-api-qps=0", "--kube-api-burst=0"};

  private final PrintStream out = System.out;
  private final Path folder;
  private final Given<N> given;
  private final int nodes;
  private int started;

  /**
   * The addresses that each node gets.
   *
   * @param kind of the nodes
   * @param text what it is, singular
   * @param has whether a node has it
   * @param options of {@code run}
   * @param writes the requests that each node needs
   */
  record Given<N>(
      Kind<N> kind, String text, Predicate<N> has, List<String> options, List<String> writes) {}

  /** Where the nodes are. */
  interface Kind<N> {
    /** In paths, such as {@code nodes}. */
    String resource();

    N create(ClusterConnection admin, String name);

    N node(ClusterConnection admin, String name);

    List<N> all(ClusterConnection admin);
  }

  /** Kubernetes Nodes. */
  static final Kind<Node> NODES =
      new Kind<>() {
        @Override
        public String resource() {
          return "nodes";
        }

        @Override
        public Node create(ClusterConnection admin, String name) {
          Node node =
              new NodeBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .addToLabels("kubernetes.io/hostname", name)
                  .endMetadata()
                  .build();
          return admin.client().nodes().resource(node).create();
        }

        @Override
        public Node node(ClusterConnection admin, String name) {
          return admin.client().nodes().withName(name).get();
        }

        @Override
        public List<Node> all(ClusterConnection admin) {
          return admin.client().nodes().list().getItems();
        }
      };

  /** A measurement on a server that has all nodes. */
  interface Measurement {
    void on(ApiServer server, ClusterConnection admin) throws Exception;
  }

  /** Writes all that a node needs. */
  interface Write<N> {
    void of(N node, int number);
  }

  NodesFigures(Given<N> given, int nodes) throws IOException {
    this.folder = Files.createTempDirectory("tidemark-figures");
    this.given = given;
    this.nodes = nodes;
  }

  private void say(String form, Object... values) {
    out.printf(Locale.ROOT, form, values);
  }

  void onServer(String what, Measurement measurement) throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      ManyObjects.each(nodes, WRITERS, i -> given.kind().create(admin, ManyObjects.name(i)));
      say("%-27s ", what + ":");
      measurement.on(server, admin);
    }
  }

  /** Writers that do nothing but write. */
  void write(ClusterConnection admin, Write<N> write) {
    List<N> all = given.kind().all(admin);
    long start = System.nanoTime();
    ManyObjects.each(all.size(), WRITERS, i -> write.of(all.get(i), i));
    double seconds = (System.nanoTime() - start) / 1e9;
    say("last %s after %6.1f s, %,.0f nodes/s%n", given.text(), seconds, all.size() / seconds);
  }

  /** Of an operator with these options besides its own. */
  Measurement filling(String... limits) {
    return (server, admin) -> {
      FillProgress progress = progress(server, admin);
      try (ClusterOperator operator = operator(server, limits)) {
        measure(operator, admin, progress);
      }
    };
  }

  private ClusterOperator operator(ApiServer server, String... limits) throws IOException {
    List<String> arguments =
        concat(
            given.options(),
            concat(
                    List.of(
                        "--port=0",
                        "--log-level=info",
                        "--kubeconfig=" + server.kubeconfig(User.ADMIN)),
                    limits)
                .toArray(String[]::new));
    return ClusterOperator.start(log(), "111111111111", arguments);
  }

  /** A Node as it is after a merge patch in JSON, whose first value is its uid. */
  static Node patch(ClusterConnection admin, Node node, String form, Object... values) {
    Object[] all =
        Stream.concat(Stream.of(node.getMetadata().getUid()), Arrays.stream(values)).toArray();
    return admin
        .client()
        .nodes()
        .withName(node.getMetadata().getName())
        .patch(PatchContext.of(PatchType.JSON_MERGE), form.formatted(all));
  }

  /** From before a process starts. */
  FillProgress progress(ApiServer server, ClusterConnection admin) throws IOException {
    return new FillProgress(server, admin, nodes, given.writes().toArray(String[]::new));
  }

  /** Until all nodes have what they need from this process. */
  void measure(ClusterOperator process, ClusterConnection admin, FillProgress progress)
      throws Exception {
    long start = System.nanoTime();
    Eventually.holds(
        "all nodes have their " + given.text(),
        MAX,
        () -> FillProgress.PAUSE,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("it ended:\n" + process.log());
          }
          return progress.isDone();
        });
    double seconds = (System.nanoTime() - start) / 1e9;
    ProcessUse use = ProcessUse.of(process.handle());
    long without = given.kind().all(admin).stream().filter(given.has().negate()).count();
    say(
        "last %s after %6.1f s, %,.0f nodes/s since the first after %.1f s, CPU %.1f s,"
            + " resident %,d MB%n  %d without; %s%n", // no figures of the history: no colon
        given.text(),
        seconds,
        nodes / ((System.nanoTime() - progress.beganNanos()) / 1e9),
        (progress.beganNanos() - start) / 1e9,
        use.cpu().toMillis() / 1e3,
        use.residentBytes() >> 20,
        without,
        progress.requests().about(given.kind().resource(), "leases", "events"));
  }

  /** The leader is killed, and a node joins. */
  void takeOver(ApiServer server, ClusterConnection admin) throws Exception {
    try (ClusterOperator leader = operator(server, NO_LIMITS).awaitLog("This operator leads");
        ClusterOperator standby = operator(server, NO_LIMITS)) {
      standby.awaitReady();
      Eventually.holds(
          "all nodes have their " + given.text(),
          MAX,
          () -> Duration.ofSeconds(1),
          () -> given.kind().all(admin).stream().allMatch(given.has()));
      leader.kill();
      long killed = System.nanoTime();
      given.kind().create(admin, "late");
      Eventually.holds(
          "a node that joins has its " + given.text(), MAX, () -> hasIt(admin, "late"));
      say(
          "a node that joins then has its %s after %.1f s%n",
          given.text(), (System.nanoTime() - killed) / 1e9);
    }
  }

  private boolean hasIt(ClusterConnection admin, String node) {
    return given.has().test(given.kind().node(admin, node));
  }

  Path log() {
    return folder.resolve("process-" + started++ + ".log");
  }

  static List<String> concat(List<String> first, String... more) {
    return Stream.concat(first.stream(), Arrays.stream(more)).toList();
  }
}
