package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.simulation.SimulationReport.TimeToWatermark;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioYaml;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.VirtualTime;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("I12 requests of one node that hang")
class HungNodeTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = 1)
  @DisplayName("delay no other node by more than 5 % at p99")
  void othersGoOn(long seed) {
    delayNoOther(seed, 30);
  }

  @Tag("long")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  @DisplayName("delay no other of a hundred nodes by more than 5 % at p99")
  void othersOfHundredGoOn(long seed) {
    delayNoOther(seed, 100);
  }

  private static void delayNoOther(long seed, int nodes) {
    Scenario scenario = ScenarioYaml.defaultScenario().withNodes(nodes).withSeed(seed);
    TimeToWatermark calm = run(scenario, OperatorParts.GENUINE).timeToWatermark();
    SimulationReport hung = run(scenario, hanging("-0"));

    // The node itself is the last one, if it gets there at all.
    TimeToWatermark others = hung.timeToWatermark();
    assertThat(others.p50()).isCloseTo(calm.p50(), Percentage.withPercentage(5));
    assertThat(others.p90()).isCloseTo(calm.p90(), Percentage.withPercentage(5));
    assertThat(others.p99()).isCloseTo(calm.p99(), Percentage.withPercentage(5));
    assertThat(hung.violations())
        .isNotEmpty()
        .allMatch(each -> each.node().endsWith("-0"), "is of the node that hangs");
  }

  private static SimulationReport run(Scenario scenario, OperatorParts parts) {
    return new ClusterSimulation(scenario).with(parts).run(new VirtualTime(0));
  }

  /** The cloud never answers what is asked for the node whose name ends so. */
  private static OperatorParts hanging(String end) {
    return new OperatorParts(
        genuine -> policy -> new Hanging(genuine.create(policy), end),
        UnaryOperator.identity(),
        UnaryOperator.identity());
  }

  private record Hanging(CloudCalls genuine, String end) implements CloudCalls {
    @Override
    public Admission admit(List<CallKind> anyOf, CallContext context) {
      return genuine.admit(anyOf, context);
    }

    @Override
    public <T> CompletionStage<CallResult<T>> call(
        CallKind kind, CallContext context, Leaf<T> leaf) {
      return genuine.call(kind, context, hung(context, leaf));
    }

    private <T> Leaf<T> hung(CallContext context, Leaf<T> leaf) {
      return context.node().endsWith(end)
          ? attempt -> {
            throw new NeverAnswers(context.node());
          }
          : leaf;
    }
  }
}
