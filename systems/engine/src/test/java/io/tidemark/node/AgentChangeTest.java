package io.tidemark.node;

import io.tidemark.node.config.EngineConfig;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A node whose agent is replaced by one of the other kind: delay 5 s")
class AgentChangeTest {
  @DisplayName("NM-C10 F-12 an agent is replaced by one of the other kind")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NM-C10 the demand of a multi-pool agent counts although the use of its predecessor stands \
            | attached 1234; create p=1 u=12; start; 1s; asked 0; holds 20 12; 1s; asked 1; \
              wanted 16; 5m; planned 0
          NM-C10 an operator that finds both serves either kind, and releases nothing \
            | attached 1234; create p=1 d=2 h=1 u=1; start; 1s; 5m; planned 0; released 0; \
              entries 0; holds 5 1; 1s; used 4
          NM-C10 an agent of single addresses loses none without its word, pods or not \
            | attached 1234; create p=1 d=2 h=1234; start; 1s; holds 2 1; 2s; uses 4; uses -; 5m; \
              planned 0; released 0; entries 3
          NM-C10 a timer of a multi-pool agent does not outlive the change to and fro \
            | attached 1234; create p=1 d=2 h=1234; start; 1s; holds 2 1; 4s; holds 0; 1s; \
              holds 2 1; 4s; released 0
          F-12 used entries of an instance that is gone do not count \
            | attached 1234; create p=1 u=19; start; 1s; used 2; attached -; instance i-2; 1s; used 0
          NM-C10 a multi-pool agent is not shown what a read soon after the start may show wrongly \
            | horizon 10s; attached 1234; create p=1 d=4 h=1 e=1; start; 1s; visible 1; 30s; visible 4
          """)
  void story(String what, String story) {
    NodeStory.run(EngineConfig.defaults().releasingAfter(Duration.ofSeconds(5)), what, story);
  }
}
