package io.tidemark.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

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
    SeedRun run = new SeedRun(ScenarioGenerator::scenario, SystemTime.instance());
    SeedRun.Summary summary = SeedVolume.run("", run, FIRST, FIRST + SEEDS);
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.seeds()).isEqualTo(SEEDS);
  }
}
