package example.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
@DisplayName("Random clusters in trouble on the minimal provider")
class MinimalSeedsTest {
  private static final int SEEDS = Integer.getInteger("tidemark.simulation.seeds", 5);
  private static final int NODES = 20;

  @Test
  @DisplayName("break no invariant, whatever the seed (number: -Dtidemark.simulation.seeds)")
  void seeds() {
    List<String> broken = new ArrayList<>();
    long added = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulationReport report =
          new ClusterSimulation(ScenarioGenerator.oneInterface(seed, NODES))
              .on(SimulatedMachines::new)
              .run(new VirtualTime(0));
      int number = seed;
      report.violations().forEach(each -> broken.add("seed " + number + ": " + each));
      added += report.calls().getOrDefault("AddAddresses", 0L);
    }
    assertThat(broken).isEmpty();
    assertThat(added).isGreaterThan((long) SEEDS * NODES);
  }
}
