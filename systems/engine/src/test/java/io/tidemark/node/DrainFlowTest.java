package io.tidemark.node;

import io.tidemark.node.config.EngineConfig;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A node with an interface that shall be emptied")
class DrainFlowTest {
  @DisplayName("gets others first, then what leaves goes; what is missing comes before both")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          others come first; then those go by the handshake, like any surplus \
            | drain; 1s; is 16/0; 4m; entries 8; released 0; acknowledges; 1m; cleans; 1m; \
              is 8/0; singles 8; state OK
          a failed replacement delays no pod: four missing, and four replaced with them \
            | refuse TRANSIENT; drain; 200ms; asked 2; why none; usesOld 4; 200ms; asked 3; \
              wanted 8; is 16/4
          where pods lack addresses when the token comes, a failure is theirs \
            | hold; drain; 200ms; waiting 1; usesOld 4; 200ms; refuse TRANSIENT; grant; 200ms; \
              asked 2; why BACKING_OFF
          answers without room for pods count apart from those for the replacement \
            | exhausted; exhausted; callHangs; drain; 200ms; asked 4; usesOld 4; 200ms; \
              exhausted; exhausted; exhausted; callFails; 400ms; why none; needed 0
          """)
  void story(String what, String story) {
    NodeStory.run(
        NodeWorld.filled(EngineConfig.defaults().releasingAfter(Duration.ofMinutes(3))),
        what,
        story);
  }
}
