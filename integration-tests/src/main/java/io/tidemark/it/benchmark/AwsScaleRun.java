package io.tidemark.it.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.services.ec2.model.InstanceType;

/**
 * The AWS provider in real time, through the SDK and HTTP on the loopback interface, against the
 * strict EC2 without buckets: from zero to the watermark, and the heap per node. Run by {@code
 * .ci/benchmarks aws-http}.
 */
public final class AwsScaleRun {
  private static final int PRE_ALLOCATE = 8;
  private static final int FULL = 735;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final PrintStream out;

  private AwsScaleRun(PrintStream out) {
    this.out = out;
  }

  /** No arguments. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    AwsScaleRun run = new AwsScaleRun(System.out);
    run.out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, load %.1f; EC2 runs in another process%n%n%8s %10s %8s %8s %14s%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        SYSTEM.getSystemLoadAverage(),
        "nodes",
        "wall s",
        "CPU s",
        "calls",
        "CPU us/call");
    run.fromZero(1_000);
    run.fromZero(1_000);
    run.fromZero(1_000);
    run.heap(60);
  }

  private void fromZero(int nodes) throws IOException, InterruptedException {
    try (AwsScaleWorld world = new AwsScaleWorld()) {
      List<NodeResource> resources = world.launch(nodes, InstanceType.M5_LARGE, PRE_ALLOCATE);
      long cpu = SYSTEM.getProcessCpuTime();
      long start = SystemTime.instance().nanos();
      world.engine().converge(resources);
      double wall = (SystemTime.instance().nanos() - start) / 1e9;
      double spent = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
      long calls = world.engine().sent();
      out.printf(
          Locale.ROOT,
          "%8d %10.2f %8.2f %8d %14.0f%n",
          nodes,
          wall,
          spent,
          calls,
          spent * 1e6 / calls);
    }
  }

  /** The memory that becomes free when engine and provider are dropped while the documents stay. */
  private void heap(int nodes) throws IOException, InterruptedException {
    try (AwsScaleWorld world = new AwsScaleWorld()) {
      world.engine().converge(world.launch(nodes, InstanceType.M5_24_XLARGE, FULL));
      long with = ScaleEngine.usedHeapBytes();
      world.engine().dropEngine();
      long without = ScaleEngine.usedHeapBytes();
      out.printf(
          Locale.ROOT,
          "%nheap per node, engine + inventory (15 interfaces, %d addresses, %d nodes): %.1f kB%n",
          FULL,
          nodes,
          (with - without) / 1000.0 / nodes);
    }
  }
}
