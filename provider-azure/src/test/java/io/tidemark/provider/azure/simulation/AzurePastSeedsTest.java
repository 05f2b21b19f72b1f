package io.tidemark.provider.azure.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

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

@Tag("long")
@DisplayName("Seeds that once broke something on the Azure provider")
class AzurePastSeedsTest {
  private static final Pattern LINE = Pattern.compile("([0-9]+) of ([0-9]+) nodes: (.+)");

  @TestFactory
  @DisplayName("break nothing any more")
  List<DynamicTest> seeds() throws IOException {
    try (InputStream in = AzurePastSeedsTest.class.getResourceAsStream("seeds.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .map(AzurePastSeedsTest::test)
          .toList();
    }
  }

  private static DynamicTest test(String line) {
    Matcher matcher = LINE.matcher(line);
    assertThat(matcher.matches()).as("a line of seeds.txt: %s", line).isTrue();
    long seed = Long.parseLong(matcher.group(1));
    int nodes = Integer.parseInt(matcher.group(2));
    return dynamicTest(
        line,
        () ->
            assertThat(AzureSeedsTest.simulation(seed, nodes).run(new VirtualTime(0)).violations())
                .isEmpty());
  }
}
