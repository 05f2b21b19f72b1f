package io.tidemark.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

@Tag("any-jdk")
@Tag("long")
@DisplayName("Seeds that once broke something")
class PastSeedsTest {
  private static final Pattern LINE = Pattern.compile("([A-Za-z_]+) ([0-9]+): (.+)");

  @TestFactory
  @DisplayName("break nothing any more")
  List<DynamicTest> seeds() throws IOException {
    try (InputStream in = PastSeedsTest.class.getResourceAsStream("seeds.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .map(PastSeedsTest::test)
          .toList();
    }
  }

  private static DynamicTest test(String line) {
    Matcher matcher = LINE.matcher(line);
    assertThat(matcher.matches()).as("a line of seeds.txt: %s", line).isTrue();
    String kind = matcher.group(1);
    long seed = Long.parseLong(matcher.group(2));
    return dynamicTest(
        line,
        () ->
            assertThat(
                    new ClusterSimulation(scenario(kind, seed))
                        .run(new VirtualTime(0))
                        .violations())
                .isEmpty());
  }

  private static Scenario scenario(String kind, long seed) {
    return switch (kind) {
      case "random" -> ScenarioGenerator.scenario(seed);
      case "single_pool" -> ScenarioGenerator.singlePool(seed);
      case "several_operators" -> SeveralOperatorsTest.scenario(seed);
      default -> MutantScenario.valueOf(kind).draw(seed);
    };
  }
}
