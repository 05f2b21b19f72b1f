package io.tidemark.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.SeedVolume;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import java.util.function.LongFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in trouble")
class SimulationSeedsTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 5);
  private static final long FIRST = Long.getLong("tidemark.simulation.first", 0);

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    unbroken("", ScenarioGenerator::scenario);
  }

  @Test
  @DisplayName("break none either where spare addresses follow demand")
  void demand() {
    unbroken("mode demand: ", seed -> ScenarioGenerator.scenario(seed).followingDemand());
  }

  private static void unbroken(String label, LongFunction<Scenario> scenarios) {
    SeedRun run = new SeedRun(scenarios, SystemTime.instance());
    SeedRun.Summary summary = SeedVolume.run(label, run, FIRST, FIRST + SEEDS);
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.seeds()).isEqualTo(SEEDS);
  }
}
