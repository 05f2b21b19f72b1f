package io.tidemark.it.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.NodeReport;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.time.SystemTime;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The engine's figures of docs/internals/performance.md as printed tables: from zero to the
 * watermark, one background pass over converged nodes, one pod burst, heap per node. Zero latency,
 * no limits, real threads. Run by {@code .ci/benchmarks scale}.
 */
public final class ScaleRun {
  private static final int PRE_ALLOCATE = 8;
  private static final int PASSES = 20;
  private static final int BURSTS = 25;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final PrintStream out;

  private ScaleRun(PrintStream out) {
    this.out = out;
  }

  /** Arguments: numbers of nodes. */
  public static void main(String[] arguments) throws InterruptedException {
    ScaleRun run = new ScaleRun(System.out);
    run.header();
    run.warmUp();
    for (String size : arguments) {
      run.cluster(Integer.parseInt(size));
    }
    run.heap("\nheap", "1 interface, 8 addresses", 10_000, "m5.large", PRE_ALLOCATE);
    // A detail, because it is what the engine does not happen to share with the documents at the
    // end.
    run.heap("  heap", "15 interfaces, 735 addresses", 400, "m5.24xlarge", 735);
  }

  private void header() {
    out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, load %.1f%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        SYSTEM.getSystemLoadAverage());
    out.printf(
        Locale.ROOT,
        "%8s %12s %10s %14s %16s %14s %14s%n",
        "nodes",
        "wall ms",
        "CPU s",
        "CPU us/node",
        "account read ms",
        "node pass ms",
        "pod burst ms");
  }

  private void warmUp() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      try (ScaleWorld world = new ScaleWorld()) {
        converge(world, 5000, "m5.large", PRE_ALLOCATE);
        scan(world);
      }
    }
  }

  private void cluster(int size) throws InterruptedException {
    try (ScaleWorld world = new ScaleWorld()) {
      List<NodeResource> resources = launch(world, size, "m5.large", PRE_ALLOCATE);
      world.engine().start();
      long cpu = SYSTEM.getProcessCpuTime();
      long start = SystemTime.instance().nanos();
      world.engine().create(resources);
      double wallMillis = millisSince(start);
      double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
      check(world, size);
      Scan scan = scan(world);
      double burst = medianBurstMillis(world, size);
      out.printf(
          Locale.ROOT,
          "%8d %12.1f %10.2f %14.1f %16.2f %14.2f %14.2f%n",
          size,
          wallMillis,
          cpuSeconds,
          cpuSeconds * 1e6 / size,
          scan.readMillis(),
          scan.passMillis(),
          burst);
    }
  }

  private static void converge(ScaleWorld world, int size, String type, int pre)
      throws InterruptedException {
    world.engine().converge(launch(world, size, type, pre));
  }

  private static List<NodeResource> launch(ScaleWorld world, int size, String type, int pre) {
    List<NodeResource> resources = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      resources.add(world.instance(i, type, pre));
    }
    return resources;
  }

  private static void check(ScaleWorld world, int size) {
    long wrong =
        world.engine().manager().reports().stream().filter(each -> each.available() != 8).count();
    if (wrong > 0) {
      throw new IllegalStateException(wrong + " of " + size + " nodes are off their watermark");
    }
  }

  /** Medians of several background scans: the read of the account, the pass over the nodes. */
  private static Scan scan(ScaleWorld world) {
    double[] reads = new double[PASSES];
    double[] passes = new double[PASSES];
    for (int i = 0; i < PASSES; i++) {
      long start = SystemTime.instance().nanos();
      world.engine().manager().start().toCompletableFuture().join();
      passes[i] = millisSince(world.engine().accountReadNanos());
      reads[i] = (world.engine().accountReadNanos() - start) / 1e6;
    }
    Arrays.sort(reads);
    Arrays.sort(passes);
    return new Scan(reads[PASSES / 2], passes[PASSES / 2]);
  }

  private record Scan(double readMillis, double passMillis) {}

  private static double medianBurstMillis(ScaleWorld world, int size) throws InterruptedException {
    double[] bursts = new double[BURSTS];
    for (int i = 0; i < BURSTS; i++) {
      bursts[i] = podBurstMillis(world, "node-" + i * (size / BURSTS));
    }
    Arrays.sort(bursts);
    return bursts[BURSTS / 2];
  }

  /** From eight pods on one node to its new addresses in the object. */
  private static double podBurstMillis(ScaleWorld world, String name) throws InterruptedException {
    NodeResource now = world.server.find(name).orElseThrow();
    Map<IpAddress, UsedAddress> used = new TreeMap<>();
    now.pool().addresses().forEach(address -> used.put(address, new UsedAddress("ns/pod", "")));
    long start = SystemTime.instance().nanos();
    StoreResult result = world.engine().agent().updateStatus(now, now.withUsed(used));
    if (!(result instanceof StoreResult.Stored)) {
      throw new IllegalStateException("the agent's write ended " + result);
    }
    long end = start + TimeUnit.SECONDS.toNanos(10);
    while (world.server.find(name).orElseThrow().pool().size() < 16) {
      if (SystemTime.instance().nanos() - end > 0) {
        NodeReport report = world.engine().manager().report(name).orElseThrow();
        throw new IllegalStateException("the burst was not served: " + report);
      }
      Thread.onSpinWait();
    }
    return millisSince(start);
  }

  /**
   * The memory that becomes free when engine and provider are dropped while the documents and the
   * cloud stay.
   */
  private void heap(String name, String what, int size, String type, int pre)
      throws InterruptedException {
    try (ScaleWorld world = new ScaleWorld()) {
      converge(world, size, type, pre);
      long withEngine = ScaleEngine.usedHeapBytes();
      world.engine().dropEngine();
      long without = ScaleEngine.usedHeapBytes();
      int documents = world.server.all().size();
      int interfaces = world.cloud.state().all().size();
      out.printf(
          Locale.ROOT,
          "%s per node, engine + inventory (%s, %d nodes): %.2f kB"
              + " (%d documents and %d interfaces of the cloud left out)%n",
          name,
          what,
          size,
          (withEngine - without) / 1000.0 / size,
          documents,
          interfaces);
    }
  }

  private static double millisSince(long startNanos) {
    return (SystemTime.instance().nanos() - startNanos) / 1e6;
  }
}
