package io.tidemark.simulation;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.time.SystemTime;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Many seeds on all processors, with a line that says what they cost. */
public final class SeedVolume {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private SeedVolume() {}

  /**
   * Runs the seeds from {@code from} to {@code to}, the latter excluded, and waits for them.
   *
   * @param label begins the line
   */
  public static SeedRun.Summary run(String label, SeedRun seeds, long from, long to) {
    int workers = Runtime.getRuntime().availableProcessors();
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      long began = SystemTime.instance().nanos();
      long cpuBefore = SYSTEM.getProcessCpuTime();
      SeedRun.Summary summary = seeds.run(from, to, threads, workers).toCompletableFuture().join();
      print(label, summary, workers, began, cpuBefore);
      return summary;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Compiling and collecting garbage included, so the factor is the least one. */
  private static void print(
      String label, SeedRun.Summary summary, int workers, long began, long cpuBefore) {
    double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpuBefore) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%s%d seeds, %d nodes, %.0f virtual s in %.1f s on %d threads, %.1f CPU s:"
            + " %.0f x real time%n",
        label,
        summary.seeds(),
        summary.nodes(),
        summary.virtualSeconds(),
        (SystemTime.instance().nanos() - began) / 1e9,
        workers,
        cpuSeconds,
        summary.virtualSeconds() / cpuSeconds);
  }
}
