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

  /** Such as "4 ab c 2": after 4 s, pods a and b show no address, c is reported, 2 are free. */
  private int use(String step) {
    String[] words = step.strip().split(" ", -1);
    Set<String> reported = names(words[2]);
    pods.observe(
        names(words[1]),
        reported,
        Integer.parseInt(words[3]),
        Duration.ofSeconds(Long.parseLong(words[0])).toNanos(),
        waited -> waits.add(waited.toSeconds()));
    return reported.size() + pods.count();
  }

  private static Set<String> names(String letters) {
    return new TreeSet<>(Arrays.asList(letters.replace("-", "").split("", 0)))
        .stream().filter(each -> !each.isEmpty()).collect(Collectors.toSet());
  }

  @DisplayName("Each is in use from its arrival on, and its wait counts if it lacked an address")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gets an address at once, and is reported later        | 0 a - 1; 1 - - 1; 15 - a 0              | 1 1 1     |
          pulls its images, and is reported before it shows one | 0 a - 1; 9 a a 0; 60 - a 0              | 1 1 1     |
          waits for an address, which the pod shows             | 0 a - 0; 7 - - 1; 20 - a 0              | 1 1 1     | 7
          waits for an address, which the agent shows           | 0 a - 0; 7 a a 0; 60 - a 0              | 1 1 1     | 7
          lacks one for a part of its wait                      | 0 a - 1; 5 a b 0; 7 a bc 1; 9 - abc 0   | 1 2 3 3   | 9
          finds one free while another waits                    | 0 a - 0; 2 ab - 2; 3 - - 2; 15 - ab 0   | 1 2 2 2   | 3
          more come than are free: those beyond wait            | 0 a - 1; 1 ab - 1; 2 abc - 1; 9 - abc 0 | 1 2 3 3   | 7 8
          is gone while it waits                                | 0 a - 0; 7 - - 0; 37 - - 0; 38 - - 0    | 1 1 1 0   |
          shows no address any more, and gets another           | 0 a - 0; 5 - - 0; 6 a - 0; 8 - a 0      | 1 1 1 1   | 8
          others are reported, and one of them ends             | 0 a bc 0; 9 a b 1; 12 - ab 0            | 3 2 2     | 12
          """)
  void waits(String what, String story, String use, String waited) {
    String found =
        Arrays.stream(story.split(";", -1))
            .map(step -> Integer.toString(use(step)))
            .collect(Collectors.joining(" "));

    assertEquals(use, found);
    String sorted = waits.stream().sorted().map(String::valueOf).collect(Collectors.joining(" "));
    assertEquals(waited == null ? "" : waited, sorted);
  }

  @Test
  @DisplayName("They are bounded, and nothing stays of those that are reported")
  void bounded() {
    Set<String> many =
        IntStream.range(0, 300).mapToObj(Integer::toString).collect(Collectors.toSet());
    pods.observe(many, Set.of(), 0, 0, waited -> {});
    assertEquals(256, pods.count());

    pods.observe(Set.of(), many, 0, 1, waited -> waits.add(waited.toNanos()));
    assertTrue(pods.isEmpty());
    assertEquals(256, waits.size());
  }
}
