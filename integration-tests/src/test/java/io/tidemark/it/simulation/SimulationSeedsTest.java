package io.tidemark.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.SeedVolume;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in trouble")
class SimulationSeedsTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 5);
  private static final long FIRST = Long.getLong("tidemark.simulation.first", 0);

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    unbroken("", new SeedRun(ScenarioGenerator::scenario, SystemTime.instance()));
  }

  @Test
  @DisplayName("break none either where spare addresses follow demand")
  void demand() {
    unbroken(
        "mode demand: ",
        new SeedRun(
            SimulationSeedsTest::followingDemand,
            seed -> ".ci/seeds --demand --replay " + seed,
            SystemTime.instance()));
  }

  private static ClusterSimulation followingDemand(long seed) {
    ClusterSimulation simulation =
        new ClusterSimulation(ScenarioGenerator.scenario(seed).followingDemand());
    return Boolean.getBoolean("tidemark.simulation.trace")
        ? simulation.traced(System.out::println)
        : simulation;
  }

  private static void unbroken(String label, SeedRun run) {
    SeedRun.Summary summary = SeedVolume.run(label, run, FIRST, FIRST + SEEDS);
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.seeds()).isEqualTo(SEEDS);
  }
}
