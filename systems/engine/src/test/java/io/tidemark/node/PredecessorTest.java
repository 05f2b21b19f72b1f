package io.tidemark.node;

import io.tidemark.node.config.EngineConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName(
    "A write of the predecessor that arrives after the take-over (reliability: leader change)")
class PredecessorTest {
  @DisplayName(
      "D-22 it is taken over, unless it is another operator's or after our own first write")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D-22 is taken over: the node begins again with it and is not blocked \
            | horizon 60s; attached 1; create p=8 P=1; meanwhile UPDATE.* pools 12; predecessor; \
              start; 1s; begun 2; told; owner none; why none; is 8/0; inStep
          D-22 what it took out of the pool is offered only after a later read \
            | horizon 60s; attached 12; create p=8 P=12; meanwhile UPDATE.* pools 1; predecessor; \
              start; 50s; without 2; detached 2; 20s; state OK; inStep
          D-22 is taken over seconds later as well, as long as nothing was written here \
            | attached 1; create p=8 P=1; answers UPDATE.* failed; predecessor; start; 5s; pools 12; \
              usual; 60s; owner none; why none; inStep; pools 1; 1s; why SECOND_OWNER
          D-22 another operator's is none \
            | horizon 60s; attached 1; create p=8 P=1; meanwhile UPDATE.* pools 12; start; 1s; \
              why SECOND_OWNER
          D-22 and neither is one after our own first write | predecessor; rival; 1s; why SECOND_OWNER
          """)
  void story(String what, String story) {
    NodeStory.run(EngineConfig.defaults(), what, story);
  }
}
