package io.tidemark.node;

import io.tidemark.node.config.EngineConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Blocks on offer that a multi-pool agent does not take up")
class UntakenOfferTest {
  @DisplayName(
      "A79 what an agent leaves alone is no fault before a minute, and while it has enough")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A79 no fault while the agent has as many addresses as it wants \
            | attached BC; create p=1 d=16 h=B; start; 1s; 5m; why none; told
          A79 begins anew when the agent had all that it wants in between \
            | attached BC; create p=1 d=17 h=B; start; 1s; 40s; holds 16 B; 1s; holds 17 B; 1s; \
              40s; why none; 30s; why OFFER_NOT_TAKEN
          A79 is reported after a minute, with the blocks, and until it takes them up \
            | attached BC; create p=1 d=24 h=B; start; 1s; 55s; why none; 10s; \
              why OFFER_NOT_TAKEN; detail leaves out 16 that are on offer: 10.0.0.32/28; state OK; \
              told OFFER_NOT_TAKEN; value OFFERED_NOT_TAKEN_IPS node1 16; \
              says on offer, not taken by the agent 16 for 66 s: 10.0.0.32/28; holds 24 BC; 1s; \
              why none; told OFFER_NOT_TAKEN, OFFER_NOT_TAKEN cleared; metric OFFERED_NOT_TAKEN_IPS
          """)
  void story(String what, String story) {
    NodeStory.run(EngineConfig.defaults(), what, story);
  }
}
