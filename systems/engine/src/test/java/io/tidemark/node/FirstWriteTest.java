package io.tidemark.node;

import io.tidemark.node.config.EngineConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The first write of a node waits for its first addresses")
class FirstWriteTest {
  @DisplayName("from nothing to the watermark it is one of the status and one of the spec")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          with the addresses of a pass that is quick \
            | create p=8; 1m; is 8/0; requests UPDATE_STATUS UPDATE
          with those of a pass that takes almost half a minute \
            | callHangs; create p=8; 29999ms; requests; callEnds; 1m; \
              requests UPDATE_STATUS UPDATE
          but it waits no longer than that \
            | callHangs; create p=8; 30010ms; requests UPDATE_STATUS; callEnds; 1m; \
              requests UPDATE_STATUS UPDATE
          a pass that fails ends the wait \
            | refuse CONFIGURATION; create p=8; 100ms; requests UPDATE_STATUS
          of a node that is blocked it does not wait \
            | blocked NO_SUBNET; create p=8; 100ms; requests UPDATE_STATUS
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.started(EngineConfig.defaults()), what, story);
  }
}
