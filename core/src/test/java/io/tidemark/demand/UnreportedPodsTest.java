package io.tidemark.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Pods that the agent has not reported")
class UnreportedPodsTest {
  private final UnreportedPods pods = new UnreportedPods();
  private final List<Long> waits = new ArrayList<>();

  /** Such as "4 ab c 2": after 4 s, pods a and b show no address, c is reported, of 2 addresses. */
  private int use(String step) {
    String[] words = step.strip().split(" ", -1);
    Set<String> reported = names(words[2]);
    pods.observe(
        names(words[1]),
        reported,
        Integer.parseInt(words[3]),
        reported.size(),
        Duration.ofSeconds(100 + Long.parseLong(words[0])).toNanos(),
        waited -> waits.add(waited.toSeconds()));
    return pods.lacking();
  }

  private static Set<String> names(String letters) {
    return new TreeSet<>(Arrays.asList(letters.replace("-", "").split("", 0)))
        .stream().filter(each -> !each.isEmpty()).collect(Collectors.toSet());
  }

  @DisplayName("Those that lack an address are counted until they are reported, and their waits")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gets an address at once, and is reported later        | 0 a - 1; 1 - - 1; 15 - a 1                      | 0 0 0     |
          pulls its images, and is reported before it shows one | 0 a - 1; 9 a a 1; 60 - a 1                      | 0 0 0     |
          does not get a free address for long                  | 0 a - 1; 20 a - 1; 30 - a 1                     | 0 0 0     |
          waits for a new address, which the pod shows          | 0 a - 0; 7 - - 1; 20 - a 1                      | 0 0 0     | 7
          waits for a new address, which the agent shows        | 0 a - 0; 7 a a 1; 60 - a 1                      | 0 0 0     | 7
          has the address of a pod that had ended               | 0 a b 1; 3 - b 1; 9 - a 1                       | 0 0 0     |
          waits until a pod ends                                | 0 a b 1; 15 a b 1; 20 - b 1; 29 - a 1           | 0 1 1 0   | 20
          more come than are free: those beyond wait            | 0 a - 1; 1 ab - 1; 2 abc - 1; 9 - abc 3         | 0 0 0 0   | 7 8
          one more comes than is free beside others             | 0 a b 2; 1 ac b 2; 9 - abc 3                    | 0 0 0     | 8
          more come than are free, for long                     | 0 a - 1; 1 ab - 1; 2 abc - 1; 17 abc - 1        | 0 0 0 2   |
          is gone while it waits                                | 0 a - 0; 16 a - 0; 17 - - 0; 47 - - 0; 48 - - 0 | 0 1 1 1 0 |
          is followed by another of its name                    | 0 a - 0; 16 a - 0; 20 - - 0; 22 a - 1; 25 - a 1 | 0 1 1 0 0 |
          """)
  void waits(String what, String story, String lacking, String waited) {
    String found =
        Arrays.stream(story.split(";", -1))
            .map(step -> Integer.toString(use(step)))
            .collect(Collectors.joining(" "));

    assertEquals(lacking, found);
    String sorted = waits.stream().sorted().map(String::valueOf).collect(Collectors.joining(" "));
    assertEquals(waited == null ? "" : waited, sorted);
  }

  @Test
  @DisplayName("They are bounded, and nothing stays of those that are reported")
  void bounded() {
    Set<String> many =
        IntStream.range(0, 300).mapToObj(Integer::toString).collect(Collectors.toSet());
    long later = Duration.ofSeconds(15).toNanos();
    pods.observe(many, Set.of(), 0, 0, 0, waited -> {});
    pods.observe(many, Set.of(), 0, 0, later, waited -> {});
    assertEquals(256, pods.lacking());

    pods.observe(Set.of(), many, 300, 300, later, waited -> waits.add(waited.toNanos()));
    assertTrue(pods.isEmpty());
    assertEquals(256, waits.size());
  }
}
