package io.tidemark.simulation;

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
    return PatternStory.tests(
        "mock", length -> List.of(false, true), (cluster, multiPool) -> cluster);
  }
}
