package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioYaml;
import io.tidemark.time.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The work of a simulation")
class WorkPerNodeTest {
  private static final int SMALL = 100;
  private static final int LARGE = 800;

  /** A larger cluster waits longer for the cloud's buckets, so a node is looked at more often. */
  private static final double MORE = 1.5;

  @Test
  @DisplayName("grows with the number of nodes, not with its square")
  void linear() {
    double small = looksPerNode(SMALL);
    double large = looksPerNode(LARGE);
    assertThat(large)
        .as("looks at the cloud per node, of %d and of %d nodes", LARGE, SMALL)
        .isLessThan(MORE * small);
  }

  private static double looksPerNode(int nodes) {
    long[] looks = new long[1];
    Scenario scenario = ScenarioYaml.defaultScenario().withNodes(nodes);
    SimulationReport report =
        new ClusterSimulation(scenario)
            .on(
                (drawn, time, temper, seed) ->
                    counting(new MockSimulatedCloud(drawn, time, temper, seed), looks))
            .run(new VirtualTime(0));
    assertThat(report.violations()).isEmpty();
    return (double) looks[0] / nodes;
  }

  private static SimulatedCloud counting(SimulatedCloud real, long[] calls) {
    return (SimulatedCloud)
        Proxy.newProxyInstance(
            SimulatedCloud.class.getClassLoader(),
            new Class<?>[] {SimulatedCloud.class},
            (proxy, method, arguments) -> {
              calls[0]++;
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
