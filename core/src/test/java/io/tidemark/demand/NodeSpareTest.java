package io.tidemark.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The spare addresses of one node")
class NodeSpareTest {
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final LearnedDemand cluster = new LearnedDemand();

  private NodeSpare node(Duration age) {
    return new NodeSpare(
        cluster,
        new DemandSettings(0.5, 1, 64),
        time,
        "group",
        Optional.of(Instant.ofEpochMilli(time.epochMillis()).minus(age)));
  }

  @DisplayName("Pods that are not reported when it is first observed have just arrived")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing is known before a pod has arrived     | 9 0 true   |            | 3 STATIC
          reported pods were there before, others came  | 9 12 true  |            | 6 GROWTH
          pods of an earlier report do not arrive       | 9 12 false |            | 3 STATIC
          a pod that is reported later arrives once     | 9 12 true  | 21 0 true  | 6 GROWTH
          """)
  void firstPods(String what, String first, String then, String expected) {
    NodeSpare node = node(Duration.ofDays(1));
    observe(node, first);
    time.runUntil(time.nanos() + Duration.ofSeconds(1).toNanos());
    if (then != null) {
      observe(node, then);
    }

    DemandWatermarks marks = node.watermarks(GrowthKind.ADDRESSES, 3);
    assertEquals(expected, marks.low() + " " + marks.basis());
    assertEquals(Duration.ofSeconds(16), marks.leadTime());
  }

  private static void observe(NodeSpare node, String words) {
    String[] each = words.split(" ", -1);
    node.observe(
        Integer.parseInt(each[0]), Integer.parseInt(each[1]), Boolean.parseBoolean(each[2]));
  }

  @DisplayName("A node is new by its age, and where another instance has its name")
  @ParameterizedTest(name = "{0} s old, replaced {1}: {2}")
  @CsvSource({"0, false, 13", "299, false, 13", "301, false, 2", "9999, true, 13"})
  void newNode(int ageSeconds, boolean replaced, int low) {
    NodeSpare before = node(Duration.ZERO);
    before.observe(0, 0, true);
    for (int pods = 1; pods <= 24; pods++) {
      time.runUntil(time.nanos() + Duration.ofSeconds(10).toNanos());
      before.observe(pods, 0, true);
    }
    NodeSpare node = node(Duration.ofSeconds(ageSeconds));
    if (replaced) {
      node.replaced();
    }
    node.observe(0, 0, true);

    assertEquals(low, node.watermarks(GrowthKind.ADDRESSES, 1).low());
  }

  @DisplayName(
      "A node that was there before keeps what it may for 2,048 s, as its pods may need it")
  @ParameterizedTest(name = "{0} s old with {1} pods, observed for {2} s: {3}")
  @CsvSource({
    "301, 0, 0, 64",
    "301, 0, 2047, 64",
    "301, 0, 2048, 3",
    "299, 0, 0, 3",
    "299, 1, 0, 64",
  })
  void keeps(int ageSeconds, int pods, int seconds, int high) {
    time.runUntil(Duration.ofHours(1).toNanos());
    NodeSpare node = node(Duration.ofSeconds(ageSeconds));
    node.observe(pods, 0, true);
    time.runUntil(time.nanos() + Duration.ofSeconds(seconds).toNanos());

    assertEquals(high, node.watermarks(GrowthKind.ADDRESSES, 3).high());
  }
}
