package io.tidemark.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in trouble")
class SimulationSeedsTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 500);
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    int workers = Runtime.getRuntime().availableProcessors();
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      long began = System.nanoTime();
      long cpuBefore = SYSTEM.getProcessCpuTime();
      SeedRun.Summary summary =
          new SeedRun(ScenarioGenerator::scenario, SystemTime.instance())
              .run(0, SEEDS, threads, workers)
              .toCompletableFuture()
              .join();
      print(summary, workers, began, cpuBefore);
      assertThat(summary.failures()).isEmpty();
      assertThat(summary.seeds()).isEqualTo(SEEDS);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Compiling and collecting garbage included, so the factor is the least one. */
  private static void print(SeedRun.Summary summary, int workers, long began, long cpuBefore) {
    double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpuBefore) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%d seeds, %d nodes, %.0f virtual s in %.1f s on %d threads, %.1f CPU s: %.0f x real time%n",
        summary.seeds(),
        summary.nodes(),
        summary.virtualSeconds(),
        (System.nanoTime() - began) / 1e9,
        workers,
        cpuSeconds,
        summary.virtualSeconds() / cpuSeconds);
  }
}
