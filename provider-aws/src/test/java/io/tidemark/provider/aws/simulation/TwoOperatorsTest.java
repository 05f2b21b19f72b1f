package io.tidemark.provider.aws.simulation;

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
import org.junit.jupiter.params.provider.CsvSource;

@Tag("any-jdk")
@DisplayName("Two operators at once on the AWS provider (M18)")
class TwoOperatorsTest {
  static final int MANY = 100;
  private static final int FEW = 10;
  private static final int BATCH = 8;

  @ParameterizedTest(name = "first-interface-index {0}, release {1}")
  @CsvSource({"0, false", "0, true", "1, false", "1, true"})
  @DisplayName("make no interface too many, and at most one batch of addresses for each node")
  void extras(int firstInterfaceIndex, boolean release) {
    extras(FEW, firstInterfaceIndex, release);
  }

  @Tag("long")
  @ParameterizedTest(name = "first-interface-index {0}, release {1}")
  @CsvSource({"0, false", "0, true", "1, false", "1, true"})
  @DisplayName("on a hundred nodes make no more than that either")
  void extrasOfMany(int firstInterfaceIndex, boolean release) {
    extras(MANY, firstInterfaceIndex, release);
  }

  private static void extras(int nodes, int firstInterfaceIndex, boolean release) {
    SimulationReport alone =
        simulation(nodes, firstInterfaceIndex, release, false).run(new VirtualTime(0));
    SimulationReport two =
        simulation(nodes, firstInterfaceIndex, release, true).run(new VirtualTime(0));
    assertThat(alone.violations()).isEmpty();
    assertThat(two.violations()).isEmpty();
    assertThat(two.interfaces()).isEqualTo(alone.interfaces());
    if (release) {
      assertThat(two.addresses()).isEqualTo(alone.addresses());
    } else {
      assertThat(two.addresses()).isBetween(alone.addresses(), alone.addresses() + nodes * BATCH);
    }
    System.out.println(
        "AWS, two operators, index "
            + firstInterfaceIndex
            + ", release "
            + release
            + ": "
            + (two.interfaces() - alone.interfaces())
            + " interfaces and "
            + (two.addresses() - alone.addresses())
            + " addresses more than with one");
  }

  static ClusterSimulation simulation(
      int nodes, int firstInterfaceIndex, boolean release, boolean second) {
    Scenario scenario =
        new Scenario(
            "two operators",
            11,
            Duration.ofMinutes(8),
            Duration.ofMinutes(40),
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
                    firstInterfaceIndex,
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
    return new ClusterSimulation(scenario).on(AwsSimulatedCloud.with(CloudSetup.PLAIN));
  }
}
