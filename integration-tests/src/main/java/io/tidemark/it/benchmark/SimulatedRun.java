package io.tidemark.it.benchmark;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * How much faster than real time one thread simulates a cluster of a hundred nodes for fifteen
 * virtual minutes and more, with faults and until it rests; as a printed table, in time of the
 * thread's CPU. Run by {@code .ci/benchmarks simulated}.
 */
public final class SimulatedRun {
  private static final int NODES = 100;
  private static final int BLOCK = 100;
  private static final int BLOCKS = 6;

  /** Apart from the seeds that the tests use, so that neither is tuned to the other. */
  private static final long FIRST_SEED = 1_000_000;

  private SimulatedRun() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) {
    PrintStream out = System.out;
    out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, load %.1f; one thread, %d nodes%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getSystemLoadAverage(),
        NODES);
    out.printf(
        Locale.ROOT,
        "%16s %12s %10s %14s %14s %12s%n",
        "seeds",
        "virtual s",
        "CPU s",
        "CPU ms/seed",
        "median ms",
        "x real time");
    for (int i = 0; i < BLOCKS; i++) {
      block(out, FIRST_SEED + (long) i * BLOCK);
    }
  }

  private static void block(PrintStream out, long from) {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    double[] millis = new double[BLOCK];
    double virtualSeconds = 0;
    for (int i = 0; i < BLOCK; i++) {
      long before = threads.getCurrentThreadCpuTime();
      SimulationReport report =
          new ClusterSimulation(ScenarioGenerator.scenario(from + i, NODES))
              .run(new VirtualTime(0));
      millis[i] = (threads.getCurrentThreadCpuTime() - before) / 1e6;
      virtualSeconds += report.virtualSeconds();
      if (!report.violations().isEmpty()) {
        out.printf(Locale.ROOT, "seed %d: %s%n", from + i, report.violations().get(0));
      }
    }
    double cpuSeconds = Arrays.stream(millis).sum() / 1e3;
    Arrays.sort(millis);
    out.printf(
        Locale.ROOT,
        "%8d..%d %12.0f %10.2f %14.1f %14.1f %12.0f%n",
        from,
        from + BLOCK - 1,
        virtualSeconds,
        cpuSeconds,
        cpuSeconds * 1e3 / BLOCK,
        millis[BLOCK / 2],
        virtualSeconds / cpuSeconds);
  }
}
