package example.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
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
  private static final int SEEDS = 100;
  private static final int NODES = 20;

  @Test
  @DisplayName("break no invariant, whatever the seed")
  void seeds() {
    List<String> broken = new ArrayList<>();
    long added = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulationReport report =
          new ClusterSimulation(fixed(ScenarioGenerator.scenario(seed, NODES)))
              .on(SimulatedMachines::new)
              .run(new VirtualTime(0));
      int number = seed;
      report.violations().forEach(each -> broken.add("seed " + number + ": " + each));
      added += report.calls().getOrDefault("AddAddresses", 0L);
    }
    assertThat(broken).isEmpty();
    assertThat(added).isGreaterThan((long) SEEDS * NODES);
  }

  /** The cluster on machines with one interface that holds as much as all of theirs would. */
  private static Scenario fixed(Scenario random) {
    OperatorShape operator = random.operator();
    return new Scenario(
        random.name(),
        random.seed(),
        random.duration(),
        random.settle(),
        new OperatorShape(
            operator.releaseExcess(),
            operator.releaseDelay(),
            false,
            operator.backgroundInterval()),
        random.subnets(),
        random.instanceTypes().stream().map(MinimalSeedsTest::fixed).toList(),
        random.nodeGroups().stream().map(MinimalSeedsTest::fixed).toList(),
        random.cloud(),
        random.store(),
        random.faults());
  }

  private static InstanceShape fixed(InstanceShape type) {
    int addresses = type.interfaces() * (type.addressesPerInterface() - 1);
    return new InstanceShape(type.name(), 1, addresses + 1, false);
  }

  private static NodeGroup fixed(NodeGroup group) {
    return new NodeGroup(
        group.name(),
        group.count(),
        group.instanceType(),
        group.subnetIds(),
        0,
        group.marks(),
        group.join(),
        new NodeGroup.AgentShape(false, group.agent().updateRate()),
        group.waves(),
        group.churn());
  }
}
