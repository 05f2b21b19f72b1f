package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

@Tag("long")
@DisplayName("Patterns: what goes wrong rarely, each case in turn (reliability.md)")
class PatternsTest {
  @TestFactory
  @DisplayName("events unobserved, take-overs on old views, late writes, writes hit in between")
  List<DynamicTest> hold() {
    List<DynamicTest> tests = new ArrayList<>();
    for (PatternStory.Length length : PatternStory.lengths()) {
      for (boolean multiPool : new boolean[] {false, true}) {
        Patterns patterns =
            new Patterns(
                (multiPool ? "multi-pool " : "mock ") + length,
                () -> new ClusterSimulation(PatternStory.scenario(length, multiPool)));
        for (Patterns.Kind kind : Patterns.Kind.values()) {
          tests.add(
              dynamicTest(
                  kind + (multiPool ? " of multi-pool agents, " : ", ") + length,
                  () -> {
                    Patterns.Outcome outcome = patterns.run(kind, PatternStory.replayed());
                    System.out.println(outcome);
                    assertThat(outcome.broken()).isEmpty();
                  }));
        }
      }
    }
    return tests;
  }
}
