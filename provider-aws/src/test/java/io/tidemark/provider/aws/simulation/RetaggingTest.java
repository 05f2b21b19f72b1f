package io.tidemark.provider.aws.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.simulation.CloudSetup.Trait;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
@DisplayName("Subnets that lose their tags for a while, in random clusters (provider-aws 12)")
class RetaggingTest {
  private final List<AwsSimulatedCloud> clouds = new ArrayList<>();

  @Test
  @DisplayName("are emptied, no pod loses its address, and all is well when they have them again")
  void emptied() {
    emptied(1, 2); // the first seed in which one is emptied
  }

  @Test
  @Tag("long")
  @DisplayName("are emptied in more clusters, too")
  void emptiedInMany() {
    emptied(0, 8);
  }

  private void emptied(long from, long to) {
    for (long seed = from; seed < to; seed++) {
      ClusterSimulation simulation =
          new ClusterSimulation(ScenarioGenerator.scenario(seed, 30)).on(this::remembered);
      assertThat(simulation.run(new VirtualTime(0)).violations()).as("seed %s", seed).isEmpty();
    }
    int emptied =
        clouds.stream()
            .flatMap(each -> each.retagging().stream())
            .mapToInt(Retagging::emptied)
            .sum();
    assertThat(emptied).isPositive();
  }

  private SimulatedCloud remembered(
      Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    CloudSetup setup = CloudSetup.of(Trait.RETAGGING).troubled(OwnFaults::drawn);
    SimulatedCloud cloud = AwsSimulatedCloud.with(setup).create(scenario, time, temper, seed);
    clouds.add((AwsSimulatedCloud) cloud);
    return cloud;
  }
}
