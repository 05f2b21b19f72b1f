package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
@DisplayName("Agents of the other kind take over while pods run, to and fro")
class AgentReplacementTest {
  private static final int SEEDS = 24;

  /** How many of them are not left to the long tests. */
  private static final int USUAL = 3;

  private static final int REPLACEMENTS = 6;
  private static final int AT_REST_SECONDS = 300;

  /** The random cluster of this seed and its own faults; every node's agent is replaced. */
  static Scenario scenario(long seed) {
    Scenario plain = ScenarioGenerator.scenario(seed);
    Random random = new Random(seed);
    List<Fault> faults = new ArrayList<>();
    int seconds = Math.max(1, (int) plain.duration().toSeconds() - AT_REST_SECONDS);
    int nodes = plain.nodeGroups().stream().mapToInt(NodeGroup::count).sum();
    for (int i = 0; i < REPLACEMENTS; i++) {
      faults.add(
          Fault.nodes(
              Fault.Kind.REPLACE_AGENT,
              Duration.ofSeconds(60 + random.nextInt(seconds)),
              Duration.ZERO,
              1 + random.nextInt(nodes)));
    }
    return plain.withFurtherFaults(faults);
  }

  static List<Long> usualSeeds() {
    return LongStream.rangeClosed(1, USUAL).boxed().toList();
  }

  static List<Long> moreSeeds() {
    return LongStream.rangeClosed(USUAL + 1, SEEDS).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("usualSeeds")
  @DisplayName("NM-C10 A95 no address is taken away or given twice, and no pod waits in vain")
  void holds(long seed) {
    run(seed);
  }

  @Tag("long")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("moreSeeds")
  @DisplayName("the same for 24 seeds")
  void holdsForMore(long seed) {
    run(seed);
  }

  private static void run(long seed) {
    assertThat(new ClusterSimulation(scenario(seed)).run(new VirtualTime(0)).violations())
        .as("seed %d", seed)
        .isEmpty();
  }
}
