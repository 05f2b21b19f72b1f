package io.tidemark.provider.azure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.CloudShape;
import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.simulation.scenario.NodeGroup.Marks;
import io.tidemark.simulation.scenario.NodeGroup.PodWave;
import io.tidemark.simulation.scenario.NodeGroup.Span;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.scenario.Scenario.StoreShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("Two operators at once on the Azure provider")
class TwoOperatorsTest {
  private static final int FEW = 10;
  private static final int MANY = 60;
  private static final int BATCH = 8;

  @ParameterizedTest(name = "release {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N45 the etag makes one lose: at most one batch of addresses more for each node")
  void extras(boolean release) {
    extras(FEW, release);
  }

  @Tag("long")
  @ParameterizedTest(name = "release {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N45 on sixty nodes, too")
  void extrasOfMany(boolean release) {
    extras(MANY, release);
  }

  private static void extras(int nodes, boolean release) {
    SimulationReport alone = simulation(nodes, release, false).run(new VirtualTime(0));
    SimulationReport two = simulation(nodes, release, true).run(new VirtualTime(0));
    assertThat(alone.violations()).isEmpty();
    assertThat(two.violations()).isEmpty();
    if (release) {
      assertThat(two.addresses()).isEqualTo(alone.addresses());
    } else {
      assertThat(two.addresses()).isBetween(alone.addresses(), alone.addresses() + nodes * BATCH);
    }
    System.out.println(
        "Azure, two operators, release "
            + release
            + ": "
            + (two.addresses() - alone.addresses())
            + " addresses more than with one");
  }

  private static ClusterSimulation simulation(int nodes, boolean release, boolean second) {
    Scenario scenario =
        new Scenario(
            "two operators",
            11,
            Duration.ofMinutes(8),
            Duration.ofMinutes(60),
            new OperatorShape(release, Duration.ofSeconds(30), false, Duration.ofSeconds(60)),
            List.of(
                new SubnetShape(
                    "subnet-a",
                    "vpc-1",
                    "zone-a",
                    Cidr.containing(Ipv4Address.of(10, 0, 0, 0), 19),
                    List.of())),
            List.of(new InstanceShape("large", 3, 10, true)),
            List.of(
                new NodeGroup(
                    "n",
                    nodes,
                    "large",
                    List.of("subnet-a"),
                    0,
                    new Marks(BATCH, 0, 0, 0),
                    new Span(Duration.ZERO, Duration.ofSeconds(20)),
                    new AgentShape(false, Duration.ofSeconds(5)),
                    List.of(
                        new PodWave(new Span(Duration.ofSeconds(60), Duration.ofSeconds(30)), 4)),
                    Optional.empty())),
            CloudShape.DEFAULT,
            StoreShape.DEFAULT,
            second
                ? List.of(
                    Fault.lasting(
                        Fault.Kind.SECOND_OPERATOR, Duration.ofSeconds(1), Duration.ofMinutes(4)))
                : List.of());
    return new ClusterSimulation(scenario).on(AzureClouds.of(CloudSetup.PLAIN));
  }
}
