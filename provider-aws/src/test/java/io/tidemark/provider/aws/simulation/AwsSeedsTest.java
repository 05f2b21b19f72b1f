package io.tidemark.provider.aws.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import io.tidemark.time.VirtualTime;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in trouble on the AWS provider")
class AwsSeedsTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 200);
  private static final long FIRST = Long.getLong("tidemark.simulation.first", 0);
  private static final boolean TRACE = Boolean.getBoolean("tidemark.simulation.trace");
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static ClusterSimulation simulation(long seed) {
    ClusterSimulation simulation =
        new ClusterSimulation(ScenarioGenerator.scenario(seed)).on(AwsSimulatedCloud::random);
    return TRACE ? simulation.traced(System.out::println) : simulation;
  }

  private static String replay(long seed) {
    return ".ci/seeds --provider aws --replay " + seed;
  }

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    int workers = Runtime.getRuntime().availableProcessors();
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      long began = System.nanoTime();
      long cpuBefore = SYSTEM.getProcessCpuTime();
      SeedRun.Summary summary =
          new SeedRun(AwsSeedsTest::simulation, AwsSeedsTest::replay, SystemTime.instance())
              .run(FIRST, FIRST + SEEDS, threads, workers)
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
        "AWS: %d seeds, %d nodes, %.0f virtual s in %.1f s on %d threads, %.1f CPU s:"
            + " %.0f x real time%n",
        summary.seeds(),
        summary.nodes(),
        summary.virtualSeconds(),
        (System.nanoTime() - began) / 1e9,
        workers,
        cpuSeconds,
        summary.virtualSeconds() / cpuSeconds);
  }

  @Test
  @DisplayName("give the same report by the direct door and through the real SDK")
  void sameByBothDoors() {
    for (long seed = 1; seed < 4; seed++) {
      assertThat(report(seed, true)).as("seed %s", seed).isEqualTo(report(seed, false));
    }
  }

  private static SimulationReport report(long seed, boolean sdk) {
    return new ClusterSimulation(ScenarioGenerator.scenario(seed, 20))
        .on(AwsSimulatedCloud.with(AwsSimulatedCloud.Setup.PLAIN.troubled(OwnFaults::drawn, sdk)))
        .run(new VirtualTime(0));
  }
}
