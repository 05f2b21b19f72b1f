package io.tidemark.provider.azure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.SeedVolume;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in trouble on the Azure provider")
class AzureSeedsTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 3);
  private static final long FIRST = Long.getLong("tidemark.simulation.first", 0);
  private static final boolean TRACE = Boolean.getBoolean("tidemark.simulation.trace");

  /** A write of Azure costs more steps than one of other clouds. */
  private static final int NODES = Integer.getInteger("tidemark.simulation.nodes", 10);

  private static ClusterSimulation simulation(long seed) {
    return simulation(seed, NODES);
  }

  static ClusterSimulation simulation(long seed, int nodes) {
    ClusterSimulation simulation =
        new ClusterSimulation(ScenarioGenerator.scenario(seed, nodes)).on(AzureClouds.RANDOM);
    return TRACE ? simulation.traced(System.out::println) : simulation;
  }

  private static String replay(long seed) {
    return ".ci/seeds --provider azure --replay " + seed;
  }

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    SeedRun run =
        new SeedRun(AzureSeedsTest::simulation, AzureSeedsTest::replay, SystemTime.instance());
    SeedRun.Summary summary = SeedVolume.run("Azure: ", run, FIRST, FIRST + SEEDS);
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.seeds()).isEqualTo(SEEDS);
  }
}
