package io.tidemark.it.benchmark;

import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.SystemTime;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * C-20: time until a hundred nodes with pre-allocate 1 and min-allocate 10 miss nothing any more,
 * by requests at a time and by latency of the cloud, as a printed table. Real threads, no limits.
 * Run by {@code .ci/benchmarks latency}.
 */
public final class LatencyRun {
  private static final int NODES = 100;
  private static final int[] WORKERS = {1, 10, 50};
  private static final Duration[] DELAYS = {Duration.ofMillis(20), Duration.ofMillis(50)};

  private LatencyRun() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws InterruptedException {
    PrintStream out = System.out;
    double warmUpMillis = millis(50, Duration.ZERO);
    out.printf(Locale.ROOT, "%d nodes, %.0f ms to warm up%n%n", NODES, warmUpMillis);
    out.printf(Locale.ROOT, "%8s %10s %12s%n", "workers", "delay ms", "wall ms");
    for (int workers : WORKERS) {
      for (Duration delay : DELAYS) {
        double wallMillis = millis(workers, delay);
        out.printf(Locale.ROOT, "%8d %10d %12.0f%n", workers, delay.toMillis(), wallMillis);
      }
    }
  }

  private static double millis(int workers, Duration delay) throws InterruptedException {
    try (ScaleWorld world = new ScaleWorld(workers, delay)) {
      List<NodeResource> resources = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        NodeResource resource = world.instance(i, "m5.4xlarge", 1);
        resources.add(resource.withIpam(IpamSpec.of(1, 10, 0, 0)));
      }
      world.engine().start();
      long start = SystemTime.instance().nanos();
      world.engine().create(resources);
      return (SystemTime.instance().nanos() - start) / 1e6;
    }
  }
}
