package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
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
import java.util.function.UnaryOperator;

/**
 * A cluster of one kind of node that two operators maintain for four minutes, against the same with
 * one.
 *
 * @param duration of each run, of which the last part is quiet
 * @param cloud sets the cluster on its cloud
 */
public record TwoOperators(
    int nodes,
    int firstInterfaceIndex,
    boolean release,
    Duration duration,
    UnaryOperator<ClusterSimulation> cloud) {
  private static final int BATCH = 8;

  /** With two operators no interface is too many, and at most a batch of addresses per node. */
  public void check() {
    SimulationReport alone = simulation(false).run(new VirtualTime(0));
    SimulationReport two = simulation(true).run(new VirtualTime(0));
    assertThat(alone.violations()).isEmpty();
    assertThat(two.violations()).isEmpty();
    assertThat(two.interfaces()).isEqualTo(alone.interfaces());
    assertThat(two.addresses())
        .isBetween(alone.addresses(), alone.addresses() + (release ? 0 : nodes * BATCH));
    System.out.println(
        this + ": " + (two.addresses() - alone.addresses()) + " addresses more than with one");
  }

  /** The run with one operator, or with two. */
  public ClusterSimulation simulation(boolean second) {
    Scenario scenario =
        new Scenario(
            "two operators",
            11,
            Duration.ofMinutes(8),
            duration,
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
    return cloud.apply(new ClusterSimulation(scenario));
  }

  @Override
  public String toString() {
    return "two operators, index " + firstInterfaceIndex + ", release " + release;
  }
}
