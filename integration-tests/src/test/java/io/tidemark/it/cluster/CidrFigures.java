package io.tidemark.it.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidemark.ip.Cidr;
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
import java.util.stream.Stream;

/**
 * How fast all Nodes of a cluster get their CIDRs, on a real API server: from Tidemark, from
 * kube-controller-manager, and from writers that only write, each on a server of its own, in turns;
 * as printed lines. Run by {@code .ci/benchmarks node-cidrs [NODES [ROUNDS]]}.
 */
public final class CidrFigures {
  private static final Duration MAX = Duration.ofMinutes(20);
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final int MASK = 24;
  private static final int WRITERS = 16;
  private static final String RANGES = "--cluster-cidr=" + RANGE;
  private static final String MASKS = "--node-cidr-mask-size=" + MASK;
  private static final String SERVICES = "--service-cluster-ip-range=10.96.0.0/12";

  private final PrintStream out = System.out;
  private final Path folder;
  private final int nodes;
  private int started;

  private CidrFigures(Path folder, int nodes) {
    this.folder = folder;
    this.nodes = nodes;
  }

  /** Number of nodes, by default 5,000; number of rounds, by default 3. */
  public static void main(String[] arguments) throws Exception {
    int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    CidrFigures figures = new CidrFigures(Files.createTempDirectory("tidemark-figures"), nodes);
    for (int round = 0; round < rounds; round++) {
      figures.onServer("writers alone", figures::write);
      figures.onServer("manager without limits", figures::managerWithoutLimits);
      figures.onServer("Tidemark without limits", figures::operatorWithoutLimits);
    }
    figures.onServer("Tidemark with its limits", figures::operatorWithLimits);
    figures.onServer("leader killed", figures::takeOver);
    figures.onServer("manager with its limits", figures::managerWithLimits);
  }

  private void say(String form, Object... values) {
    out.printf(Locale.ROOT, form, values);
  }

  /** What is measured on a server that has all nodes. */
  private interface Measurement {
    void on(ApiServer server, ClusterConnection admin) throws Exception;
  }

  private void onServer(String what, Measurement measurement) throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      ManyObjects.each(nodes, WRITERS, node -> create(admin, ManyObjects.name(node)));
      say("%-26s ", what);
      measurement.on(server, admin);
    }
  }

  private static Node create(ClusterConnection admin, String name) {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("kubernetes.io/hostname", name)
            .endMetadata()
            .build();
    return admin.client().nodes().resource(node).create();
  }

  // ---- contenders

  private void write(ApiServer unused, ClusterConnection admin) {
    List<Node> all = admin.client().nodes().list().getItems();
    long start = System.nanoTime();
    ManyObjects.each(
        all.size(),
        WRITERS,
        i -> {
          Node node = all.get(i);
          String cidr = RANGE.subnet(MASK, i).toString();
          String patch =
              "{\"metadata\":{\"uid\":\""
                  + node.getMetadata().getUid()
                  + "\"},\"spec\":{\"podCIDR\":\""
                  + cidr
                  + "\",\"podCIDRs\":[\""
                  + cidr
                  + "\"]}}";
          Node written =
              admin
                  .client()
                  .nodes()
                  .withName(node.getMetadata().getName())
                  .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
          if (!cidr.equals(written.getSpec().getPodCIDR())) {
            throw new IllegalStateException(written.getMetadata().getName() + " has no CIDR");
          }
        });
    double seconds = (System.nanoTime() - start) / 1e9;
    say("last CIDR after %6.1f s, %,.0f nodes/s%n", seconds, all.size() / seconds);
  }

  private void managerWithoutLimits(ApiServer server, ClusterConnection admin) throws Exception {
    manager(server, admin, "--kube-api-qps=5000", "--kube-api-burst=5000");
  }

  private void managerWithLimits(ApiServer server, ClusterConnection admin) throws Exception {
    manager(server, admin);
  }

  private void manager(ApiServer server, ClusterConnection admin, String... limits)
      throws Exception {
    ServerRequests before = ServerRequests.of(admin);
    try (ClusterOperator manager =
        ClusterOperator.manager(log(), server.kubeconfig(User.ADMIN), managerFlags(limits))) {
      measure(manager, admin, before);
    }
  }

  private static List<String> managerFlags(String... limits) {
    return concat(List.of(RANGES, MASKS, SERVICES), limits);
  }

  private void operatorWithoutLimits(ApiServer server, ClusterConnection admin) throws Exception {
    operator(server, admin, "--kube-api-qps=0", "--kube-api-burst=0");
  }

  private void operatorWithLimits(ApiServer server, ClusterConnection admin) throws Exception {
    operator(server, admin);
  }

  private void operator(ApiServer server, ClusterConnection admin, String... limits)
      throws Exception {
    ServerRequests before = ServerRequests.of(admin);
    try (ClusterOperator operator = operator(server, limits)) {
      measure(operator, admin, before);
    }
  }

  private ClusterOperator operator(ApiServer server, String... limits) throws IOException {
    List<String> arguments =
        concat(
            List.of(
                "--ipam=kubernetes",
                "--allocate-node-cidrs=true",
                RANGES,
                MASKS,
                SERVICES,
                "--port=0",
                "--log-level=info",
                "--kubeconfig=" + server.kubeconfig(User.ADMIN)),
            limits);
    return ClusterOperator.start(log(), "111111111111", arguments);
  }

  private void measure(ClusterOperator process, ClusterConnection admin, ServerRequests before)
      throws Exception {
    long start = System.nanoTime();
    FillProgress progress = new FillProgress(admin, before, nodes, "PATCH nodes");
    Eventually.holds(
        "all nodes have CIDRs",
        MAX,
        progress::pause,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("it ended:\n" + process.log());
          }
          return progress.isDone();
        });
    double seconds = (System.nanoTime() - start) / 1e9;
    ProcessUse use = ProcessUse.of(process.handle());
    long without =
        admin.client().nodes().list().getItems().stream()
            .filter(node -> node.getSpec().getPodCIDR() == null)
            .count();
    say(
        "last CIDR after %6.1f s, %,.0f nodes/s since the first after %.1f s, %.1f CPU-s,"
            + " resident %,d MB, %d without; %s%n",
        seconds,
        nodes / ((System.nanoTime() - progress.beganNanos()) / 1e9),
        (progress.beganNanos() - start) / 1e9,
        use.cpu().toMillis() / 1e3,
        use.residentBytes() >> 20,
        without,
        ServerRequests.of(admin).since(before).about("nodes", "leases", "events"));
  }

  // ---- the next leader

  private void takeOver(ApiServer server, ClusterConnection admin) throws Exception {
    String[] noLimit = {"--kube-api-qps=0", "--kube-api-burst=0"};
    try (ClusterOperator leader = operator(server, noLimit).awaitLog("This operator leads");
        ClusterOperator standby = operator(server, noLimit)) {
      standby.awaitReady();
      Eventually.holds(
          "all nodes have CIDRs", MAX, () -> hasCidr(admin, ManyObjects.name(nodes - 1)));
      leader.kill();
      long killed = System.nanoTime();
      Node unused = create(admin, "late");
      Eventually.holds("a node that joins has CIDRs", MAX, () -> hasCidr(admin, "late"));
      say(
          "a node that joins then has its CIDRs after %.1f s%n",
          (System.nanoTime() - killed) / 1e9);
    }
  }

  private static boolean hasCidr(ClusterConnection admin, String node) {
    return admin.client().nodes().withName(node).get().getSpec().getPodCIDR() != null;
  }

  private Path log() {
    return folder.resolve("process-" + started++ + ".log");
  }

  private static List<String> concat(List<String> first, String... more) {
    return Stream.concat(first.stream(), Arrays.stream(more)).toList();
  }
}
