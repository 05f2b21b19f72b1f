package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioYaml;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@Tag("long")
@DisplayName("I11 hundreds of nodes that come at once")
class ThrottleShareTest {
  private static final int NODES = 600;
  private static final int SEEDS = 3;

  @ParameterizedTest(name = "noisy neighbours use {0} of every bucket")
  @ValueSource(doubles = {0, 0.4})
  @DisplayName("are throttled for at most 7 % of their requests, 5 % in the median")
  void throttledLittle(double neighbours) {
    double[] shares =
        LongStream.rangeClosed(1, SEEDS)
            .mapToDouble(seed -> throttled(scenario(seed, neighbours)))
            .sorted()
            .toArray();
    assertThat(shares[SEEDS - 1]).isLessThanOrEqualTo(0.07);
    assertThat(shares[SEEDS / 2]).isLessThanOrEqualTo(0.05).isPositive();
  }

  private static double throttled(Scenario scenario) {
    SimulationReport report = new ClusterSimulation(scenario).run(new VirtualTime(0));
    assertThat(report.violations()).as("seed %s", scenario.seed()).isEmpty();
    long requests = report.calls().values().stream().mapToLong(Long::longValue).sum();
    return (double) report.throttled() / requests;
  }

  private static Scenario scenario(long seed, double neighbours) {
    Scenario usual = ScenarioYaml.defaultScenario().withNodes(NODES);
    List<Fault> faults =
        neighbours == 0
            ? List.of()
            : List.of(
                Fault.share(
                    Fault.Kind.THROTTLE_STORM, Duration.ZERO, usual.duration(), neighbours));
    return new Scenario(
        usual.name(),
        seed,
        usual.duration(),
        usual.settle(),
        usual.operator(),
        usual.subnets(),
        usual.instanceTypes(),
        usual.nodeGroups(),
        usual.cloud(),
        usual.store(),
        faults);
  }
}
