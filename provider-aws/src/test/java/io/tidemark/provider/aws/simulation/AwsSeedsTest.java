package io.tidemark.provider.aws.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.simulation.CloudSetup.Trait;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.SeedVolume;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import io.tidemark.time.VirtualTime;
import java.util.function.LongFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in trouble on the AWS provider")
class AwsSeedsTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 3);
  private static final long FIRST = Long.getLong("tidemark.simulation.first", 0);
  private static final boolean TRACE = Boolean.getBoolean("tidemark.simulation.trace");

  static ClusterSimulation simulation(long seed) {
    return of(ScenarioGenerator.scenario(seed));
  }

  private static ClusterSimulation of(Scenario scenario) {
    ClusterSimulation simulation = new ClusterSimulation(scenario).on(AwsSimulatedCloud::random);
    return TRACE ? simulation.traced(System.out::println) : simulation;
  }

  private static String replay(long seed) {
    return ".ci/seeds --provider aws --replay " + seed;
  }

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    unbroken("AWS: ", AwsSeedsTest::simulation, AwsSeedsTest::replay);
  }

  @Test
  @DisplayName("break none either where spare addresses follow demand")
  void demand() {
    unbroken(
        "AWS, mode demand: ",
        seed -> of(ScenarioGenerator.scenario(seed).followingDemand()),
        seed -> replay(seed) + " --demand");
  }

  private static void unbroken(
      String label, LongFunction<ClusterSimulation> simulations, LongFunction<String> replay) {
    SeedRun run = new SeedRun(simulations, replay, SystemTime.instance());
    SeedRun.Summary summary = SeedVolume.run(label, run, FIRST, FIRST + SEEDS);
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.seeds()).isEqualTo(SEEDS);
  }

  @Test
  @DisplayName("give the same report by the direct door and through the real SDK")
  void sameByBothDoors() {
    assertThat(report(1, 5, true)).isEqualTo(report(1, 5, false));
  }

  @Test
  @Tag("long")
  @DisplayName("with more nodes too give the same report by both doors")
  void sameByBothDoorsWithMoreNodes() {
    for (long seed = 1; seed < 4; seed++) {
      assertThat(report(seed, 20, true)).as("seed %s", seed).isEqualTo(report(seed, 20, false));
    }
  }

  private static SimulationReport report(long seed, int nodes, boolean sdk) {
    return new ClusterSimulation(ScenarioGenerator.scenario(seed, nodes))
        .on(
            AwsSimulatedCloud.with(
                CloudSetup.PLAIN.troubled(OwnFaults::drawn).with(Trait.SDK, sdk)))
        .run(new VirtualTime(0));
  }
}
