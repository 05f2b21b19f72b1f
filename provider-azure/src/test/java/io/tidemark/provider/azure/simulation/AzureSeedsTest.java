package io.tidemark.provider.azure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.SeedVolume;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import java.util.function.LongFunction;
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
    return of(ScenarioGenerator.scenario(seed, nodes));
  }

  private static ClusterSimulation of(Scenario scenario) {
    ClusterSimulation simulation = new ClusterSimulation(scenario).on(AzureClouds.RANDOM);
    return TRACE ? simulation.traced(System.out::println) : simulation;
  }

  private static String replay(long seed) {
    return ".ci/seeds --provider azure --replay " + seed;
  }

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    unbroken("Azure: ", AzureSeedsTest::simulation, AzureSeedsTest::replay);
  }

  @Test
  @DisplayName("break none either where spare addresses follow demand")
  void demand() {
    unbroken(
        "Azure, mode demand: ",
        seed -> of(ScenarioGenerator.scenario(seed, NODES).followingDemand()),
        seed -> replay(seed) + " --demand");
  }

  private static void unbroken(
      String label, LongFunction<ClusterSimulation> simulations, LongFunction<String> replay) {
    SeedRun run = new SeedRun(simulations, replay, SystemTime.instance());
    SeedRun.Summary summary = SeedVolume.run(label, run, FIRST, FIRST + SEEDS);
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.seeds()).isEqualTo(SEEDS);
  }
}
