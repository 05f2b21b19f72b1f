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
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 100);
  private static final long FIRST = Long.getLong("tidemark.simulation.first", 0);
  private static final boolean TRACE = Boolean.getBoolean("tidemark.simulation.trace");

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    noViolation("", new SeedRun(ScenarioGenerator::scenario, SystemTime.instance()));
  }

  @Test
  @DisplayName("break no invariant with the agents of the product")
  void productAgents() {
    noViolation(
        "Agents of the product: ",
        new SeedRun(
            SimulationSeedsTest::withProductAgents,
            seed -> ".ci/seeds --product-agents --replay " + seed,
            SystemTime.instance()));
  }

  private static ClusterSimulation withProductAgents(long seed) {
    ClusterSimulation simulation =
        new ClusterSimulation(ScenarioGenerator.scenario(seed).withProductAgents());
    return TRACE ? simulation.traced(System.out::println) : simulation;
  }

  private static void noViolation(String what, SeedRun run) {
    SeedRun.Summary summary = SeedVolume.run(what, run, FIRST, FIRST + SEEDS);
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.seeds()).isEqualTo(SEEDS);
  }
}
