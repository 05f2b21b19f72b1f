package io.tidemark.it.cluster;

import io.tidemark.ip.IpAddress;
import io.tidemark.it.program.ProcessUse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The costs of an operator of a large cluster, on a real API server and the mock cloud, as printed
 * tables: filling all pools, a burst on one node, a quiet minute, the next leader, a cold start,
 * what the watches keep. Run by {@code .ci/benchmarks cluster [NODES [PODS]]}.
 */
public final class ClusterFigures {
  private static final Duration MAX = Duration.ofMinutes(20);
  private static final String LEADS = "This operator leads";
  private static final String[] NO_LIMIT = {
    "--operator-k8s-client-qps=0", "--operator-k8s-client-burst=0"
  };

  /** Of 500 nodes the measured bound differs by a third from run to run. */
  private static final int SAMPLE = 2_000;

  /** So many that what a watch itself costs does not show in the share of each. */
  private static final int WAITING_MIN = 2_000;

  /** With the first eight addresses no more than an interface of a node holds. */
  private static final int BURST = 6;

  private static final int[] WRITERS = {2, 4, 8, 16};

  private final PrintStream out = System.out;
  private final ApiServer server;
  private final ClusterConnection admin;
  private final ManyObjects objects;
  private final CiliumNodes ciliumNodes;
  private final Path folder;
  private final int nodes;
  private int started;

  private ClusterFigures(ApiServer server, ClusterConnection admin, Path folder, int nodes) {
    this.server = server;
    this.admin = admin;
    this.objects = new ManyObjects(admin);
    this.ciliumNodes = new CiliumNodes(admin);
    this.folder = folder;
    this.nodes = nodes;
  }

  /** Number of nodes; number of running pods. */
  public static void main(String[] arguments) throws Exception {
    int nodes = Integer.parseInt(arguments[0]);
    int pods = Integer.parseInt(arguments[1]);
    Path folder = Files.createTempDirectory("tidemark-figures");
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      new ClusterFigures(server, admin, folder, nodes).run(pods);
    }
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      new ClusterFigures(server, admin, folder, nodes).runLimited();
    }
  }

  private void runLimited() throws Exception {
    objects.nodes(nodes);
    fill("with the usual limit of 100 requests/s, 200 at once");
  }

  private void run(int pods) throws Exception {
    say("%,d nodes, %,d running pods%n", nodes, pods);
    objects.nodes(nodes);
    Filled bare = fill("without a limit of requests", NO_LIMIT);
    NodeResource like = ciliumNodes.node(ManyObjects.name(0));
    double best = 0;
    for (int writers : WRITERS) {
      double rate = objects.twoWritesPerSecond("sample-" + writers + '-', SAMPLE, writers, like);
      say("two writes per node by %2d writers: %,.0f nodes/s%n", writers, rate);
      best = Math.max(best, rate);
    }
    say(
        "ratio to the server's own bound: %.2f, since the first pool %.2f (bound %.1f s)%n",
        bare.seconds() / (nodes / best), bare.secondsOfWriting() / (nodes / best), nodes / best);
    objects.pods(pods, nodes);
    try (ClusterOperator operator = operator(NO_LIMIT)) {
      coldStart(operator);
      burst();
      quietMinute(operator);
      handOver(operator);
    }
    watchedHeap();
  }

  private void say(String form, Object... values) {
    out.printf(Locale.ROOT, form, values);
  }

  private ClusterOperator operator(String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--provider=mock",
                "--port=0",
                "--log-level=info",
                "--kubeconfig=" + server.kubeconfig(User.ADMIN)));
    arguments.addAll(List.of(more));
    return ClusterOperator.start(
        folder.resolve("operator-" + started++ + ".log"), "111111111111", arguments);
  }

  /**
   * How long it took until every pool was written.
   *
   * @param seconds since it led; it starts, and reads every object, in the first of them
   * @param secondsOfWriting since the first pool was written
   */
  private record Filled(double seconds, double secondsOfWriting) {}

  private Filled fill(String how, String... settings) throws Exception {
    FillProgress progress =
        new FillProgress(server, admin, nodes, "PUT ciliumnodes", "PUT ciliumnodes/status");
    try (ClusterOperator operator = operator(settings)) {
      operator.awaitLog(LEADS);
      long start = System.nanoTime();
      Eventually.holds("all pools are written", MAX, () -> FillProgress.PAUSE, progress::isDone);
      long end = System.nanoTime();
      Filled filled = new Filled((end - start) / 1e9, (end - progress.beganNanos()) / 1e9);
      ProcessUse use = ProcessUse.of(operator.handle());
      say(
          "filled %s: %.1f s, since the first pool %.1f s, CPU %.1f s, resident %,d MB,"
              + " living heap %,d MB%n",
          how,
          filled.seconds(),
          filled.secondsOfWriting(),
          use.cpu().toMillis() / 1e3,
          use.residentBytes() >> 20,
          ProcessUse.liveHeapBytes(operator.handle()) >> 20);
      say("  requests: %s%n", progress.requests().about("ciliumnodes", "leases"));
      operator.terminate();
      return filled;
    }
  }

  /** With no operator at work, which would serve the pods. */
  private void watchedHeap() throws Exception {
    int waiting = Math.max(nodes, WAITING_MIN);
    objects.waitingPods(waiting, nodes);
    WatchedHeap heap = new WatchedHeap(admin);
    say(
        "heap that the watch of pods keeps per waiting pod, of %,d: %,.0f bytes%n",
        waiting, heap.perWaitingPod(waiting, nodes));
    say(
        "heap that the watch of CiliumNodes keeps per node, of %,d: %,.0f bytes%n",
        nodes, heap.perCiliumNode(nodes));
  }

  private void coldStart(ClusterOperator operator) throws IOException {
    long start = System.nanoTime();
    operator.awaitReady();
    ProcessUse use = ProcessUse.of(operator.handle());
    say(
        "cold start to ready: %.1f s, CPU %.1f s, resident %,d MB, living heap %,d MB%n",
        (System.nanoTime() - start) / 1e9,
        use.cpu().toMillis() / 1e3,
        use.residentBytes() >> 20,
        ProcessUse.liveHeapBytes(operator.handle()) >> 20);
  }

  /**
   * Uses so many addresses of a node that their number again finds room on its first interface;
   * milliseconds until they are in the pool.
   */
  private double grow(String name) {
    NodeResource node = ciliumNodes.node(name);
    TreeMap<IpAddress, UsedAddress> used = new TreeMap<>();
    node.pool()
        .byResource()
        .forEach(
            (eni, set) ->
                set.first(BURST)
                    .forEach(each -> used.put(each, new UsedAddress("default/pod", eni))));
    int wanted = node.pool().size() + BURST;
    long start = System.nanoTime();
    ciliumNodes.writeStatus(node.withUsed(used));
    Eventually.holds(
        "the pool of " + name + " grew", MAX, () -> ciliumNodes.node(name).pool().size() >= wanted);
    return (System.nanoTime() - start) / 1e6;
  }

  private void burst() {
    ServerRequests before = ServerRequests.of(admin);
    double millis = grow(ManyObjects.name(nodes / 2));
    say("%d pods on one node: %.0f ms until the pool is written%n", BURST, millis);
    say(
        "  writes, the agent's own status among them: %s%n",
        ServerRequests.of(admin).since(before).about("ciliumnodes"));
  }

  private void quietMinute(ClusterOperator operator) throws Exception {
    ServerRequests before = ServerRequests.of(admin);
    Duration cpu = ProcessUse.of(operator.handle()).cpu();
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    Eventually.holds("a minute", () -> System.nanoTime() - end > 0);
    say(
        "a quiet minute: CPU %.2f s%n  requests: %s%n",
        ProcessUse.of(operator.handle()).cpu().minus(cpu).toMillis() / 1e3,
        ServerRequests.of(admin)
            .since(before)
            .about("ciliumnodes", "leases", "pods", "nodes", "events"));
  }

  /** Kills the leader, then ends the next one in order. */
  private void handOver(ClusterOperator leader) throws Exception {
    try (ClusterOperator second = operator(NO_LIMIT);
        ClusterOperator third = operator(NO_LIMIT)) {
      second.awaitReady();
      third.awaitReady();
      long killed = System.nanoTime();
      leader.kill();
      Eventually.holds(
          "the next one leads",
          MAX,
          () -> second.log().contains(LEADS) || third.log().contains(LEADS));
      say("leader killed, the next one leads: %.1f s%n", (System.nanoTime() - killed) / 1e9);
      say("leader killed, more until a pool is filled: %.1f s%n", grow(ManyObjects.name(1)) / 1e3);
      ClusterOperator next = second.log().contains(LEADS) ? second : third;
      ClusterOperator last = next == second ? third : second;
      long told = System.nanoTime();
      next.terminate();
      last.awaitLog(LEADS);
      say("leader told to end: %.1f s until the next one led%n", (System.nanoTime() - told) / 1e9);
      say("more until that one filled a pool: %.1f s%n", grow(ManyObjects.name(2)) / 1e3);
    }
  }
}
