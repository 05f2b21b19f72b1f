package io.tidemark.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in trouble")
class SimulationSeedsTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 30);

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    int workers = Runtime.getRuntime().availableProcessors();
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      SeedRun.Summary summary =
          new SeedRun(ScenarioGenerator::scenario, new VirtualTime(0))
              .run(0, SEEDS, threads, workers)
              .toCompletableFuture()
              .join();
      assertThat(summary.failures()).isEmpty();
      assertThat(summary.seeds()).isEqualTo(SEEDS);
    } finally {
      threads.shutdownNow();
    }
  }
}
