package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.scenario.Fault;
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
@DisplayName("Three operators come and go beside the first (reliability.md, two leaders)")
class SeveralOperatorsTest {
  private static final int SEEDS = 24;

  /** How many of them are not left to the long tests. */
  private static final int USUAL = 2;

  private static final int OTHERS = 3;
  private static final int AT_REST_SECONDS = 300;

  /** The random cluster of this seed, its own faults, and three more operators at once. */
  static Scenario scenario(long seed) {
    Scenario plain = ScenarioGenerator.scenario(seed);
    Random random = new Random(seed);
    List<Fault> faults = new ArrayList<>();
    int seconds = Math.max(1, (int) plain.duration().toSeconds() - AT_REST_SECONDS);
    for (int i = 0; i < OTHERS; i++) {
      faults.add(
          Fault.lasting(
              Fault.Kind.SECOND_OPERATOR,
              Duration.ofSeconds(1 + random.nextInt(seconds)),
              Duration.ofSeconds(20 + random.nextInt(250))));
    }
    return plain.withFurtherFaults(faults);
  }

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, SEEDS).boxed().toList();
  }

  static List<Long> usualSeeds() {
    return seeds().subList(0, USUAL);
  }

  static List<Long> moreSeeds() {
    return seeds().subList(USUAL, SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("usualSeeds")
  @DisplayName("nothing is lost, taken away or given twice")
  void holds(long seed) {
    run(seed);
  }

  @Tag("long")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("moreSeeds")
  @DisplayName("nothing is lost, taken away or given twice for 24 seeds")
  void holdsForMore(long seed) {
    run(seed);
  }

  private static void run(long seed) {
    assertThat(new ClusterSimulation(scenario(seed)).run(new VirtualTime(0)).violations())
        .as("seed %d with three more operators", seed)
        .isEmpty();
  }
}
