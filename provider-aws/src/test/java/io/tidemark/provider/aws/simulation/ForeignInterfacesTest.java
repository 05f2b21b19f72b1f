package io.tidemark.provider.aws.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.simulation.CloudSetup.Trait;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
@DisplayName("Interfaces that somebody else puts on our instances (provider-aws 1.1, 5.3)")
class ForeignInterfacesTest {
  private static final CloudSetup VISITED = CloudSetup.of(Trait.FOREIGN_INTERFACES);

  private final List<AwsSimulatedCloud> clouds = new ArrayList<>();

  private SimulationReport run(long seed, int nodes, CloudSetup setup) {
    return new ClusterSimulation(ScenarioGenerator.scenario(seed, nodes))
        .on(
            (scenario, time, temper, drawn) -> {
              SimulatedCloud cloud =
                  AwsSimulatedCloud.with(setup).create(scenario, time, temper, drawn);
              clouds.add((AwsSimulatedCloud) cloud);
              return cloud;
            })
        .run(new VirtualTime(0));
  }

  @Test
  @DisplayName("of every kind take their places, and nothing is done to them")
  void untouched() {
    untouched(2, 15);
  }

  @Test
  @Tag("long")
  @DisplayName("of every kind take their places in more and larger clusters, too")
  void untouchedInMany() {
    untouched(6, 30);
  }

  private void untouched(int seeds, int nodes) {
    Set<ForeignInterfaces.Kind> kinds = EnumSet.noneOf(ForeignInterfaces.Kind.class);
    for (long seed = 0; seed < seeds; seed++) {
      assertThat(run(seed, nodes, VISITED).violations()).as("seed %s", seed).isEmpty();
    }
    clouds.forEach(cloud -> kinds.addAll(cloud.foreignInterfaces().count().keySet()));
    assertThat(kinds).containsExactlyInAnyOrder(ForeignInterfaces.Kind.values());
  }

  @Test
  @DisplayName("would be found out, were one of them touched")
  void touched() {
    List<String> found = new ArrayList<>();
    for (long seed = 0; seed < 6 && found.isEmpty(); seed++) {
      run(seed, 15, VISITED.with(Trait.ADOPTING))
          .violations()
          .forEach(each -> found.add(each.toString()));
    }
    assertThat(found).anyMatch(each -> each.contains("another owner's interface"));
  }
}
