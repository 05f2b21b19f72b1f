package io.tidemark.it.cluster;

import io.tidemark.ip.Cidr;
import io.tidemark.it.program.ProcessUse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How fast all CiliumNodes of a cluster get their CIDRs, on a real API server: from Tidemark, and
 * from writers that make one write of the spec each, in turns, each on a server of its own; as
 * printed lines. Run by {@code .ci/benchmarks cluster-pool [NODES [ROUNDS]]}.
 */
public final class PoolFigures {
  private static final Duration MAX = Duration.ofMinutes(20);
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final int MASK = 24;
  private static final int WRITERS = 16;

  private final Path folder;
  private final int nodes;
  private int started;

  private PoolFigures(Path folder, int nodes) {
    this.folder = folder;
    this.nodes = nodes;
  }

  /** Number of nodes, by default 5,000; number of rounds, by default 3. */
  public static void main(String[] arguments) throws Exception {
    int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    PoolFigures figures = new PoolFigures(Files.createTempDirectory("tidemark-figures"), nodes);
    System.out.printf(
        Locale.ROOT,
        "%-26s %11s %8s %8s %8s %9s  %s%n",
        "contender",
        "last after",
        "nodes/s",
        "first",
        "CPU-s",
        "resident",
        "requests");
    for (int round = 0; round < rounds; round++) {
      figures.onServer("writers alone", (server, admin, made) -> figures.write(admin, made));
      figures.onServer("Tidemark without limits", figures.operator(true));
    }
    figures.onServer("Tidemark with its limits", figures.operator(false));
  }

  /** What is measured on a server that has all objects; the row of the table. */
  private interface Measurement {
    String on(ApiServer server, ClusterConnection admin, List<NodeResource> made) throws Exception;
  }

  private void onServer(String what, Measurement measurement) throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      CiliumNodes objects = new CiliumNodes(admin);
      NodeResource[] made = new NodeResource[nodes];
      ManyObjects.each(
          nodes, WRITERS, i -> made[i] = objects.create(NodeResource.named(ManyObjects.name(i))));
      String row = measurement.on(server, admin, Arrays.asList(made));
      System.out.printf(Locale.ROOT, "%-26s %s%n", what, row);
    }
  }

  private String write(ClusterConnection admin, List<NodeResource> made) {
    CiliumNodes objects = new CiliumNodes(admin);
    long start = System.nanoTime();
    ManyObjects.each(
        nodes,
        WRITERS,
        i -> {
          String cidr = RANGE.subnet(MASK, i).toString();
          NodeResource unused = objects.writeSpec(made.get(i).withPodCidrs(List.of(cidr)));
        });
    double seconds = (System.nanoTime() - start) / 1e9;
    return String.format(Locale.ROOT, "%9.1f s %,8.0f", seconds, nodes / seconds);
  }

  private Measurement operator(boolean unlimited) {
    return (server, admin, made) -> {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "--ipam=cluster-pool",
                  "--cluster-pool-ipv4-cidr=" + RANGE,
                  "--cluster-pool-ipv4-mask-size=" + MASK,
                  "--port=0",
                  "--log-level=info",
                  "--kubeconfig=" + server.kubeconfig(User.ADMIN)));
      if (unlimited) {
        arguments.addAll(List.of("--kube-api-qps=0", "--kube-api-burst=0"));
      }
      ServerRequests before = ServerRequests.of(admin);
      Path log = folder.resolve("process-" + started++ + ".log");
      try (ClusterOperator process = ClusterOperator.start(log, "111111111111", arguments)) {
        return measure(process, admin, before);
      }
    };
  }

  private String measure(ClusterOperator process, ClusterConnection admin, ServerRequests before)
      throws Exception {
    long start = System.nanoTime();
    FillProgress progress = new FillProgress(admin, before, nodes, "PUT ciliumnodes");
    Eventually.holds(
        "all CiliumNodes have CIDRs",
        MAX,
        progress::pause,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("it ended:\n" + process.log());
          }
          return progress.isDone();
        });
    long end = System.nanoTime();
    ProcessUse use = ProcessUse.of(process.handle());
    long without =
        new CiliumNodes(admin).all().stream().filter(node -> node.podCidrs().isEmpty()).count();
    if (without > 0) {
      throw new AssertionError(without + " CiliumNodes have no CIDRs");
    }
    return String.format(
        Locale.ROOT,
        "%9.1f s %,8.0f %6.1f s %8.1f %,6d MB  %s",
        (end - start) / 1e9,
        nodes / ((end - progress.beganNanos()) / 1e9),
        (progress.beganNanos() - start) / 1e9,
        use.cpu().toMillis() / 1e3,
        use.residentBytes() >> 20,
        ServerRequests.of(admin).since(before).about("ciliumnodes", "leases", "events"));
  }
}
