package io.tidemark.nodeid.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Operators of node ids among crashes, late requests and lost claims (node-id AM20)")
class ClaimScenarioTest {
  private static final int SEEDS = Integer.getInteger("tidemark.nodeid.seeds", 50);
  private static final int SEEDS_LONG = Integer.getInteger("tidemark.nodeid.seeds", 500);
  private static final long FIRST = Long.getLong("tidemark.nodeid.first", 1);

  @Test
  @DisplayName(
      "NI-34 No id is on two nodes, none passes on before its cooldown, and no running node"
          + " changes its id; at rest claims and mirrors agree")
  void seeds() {
    pass(SEEDS);
  }

  @Test
  @Tag("long")
  @DisplayName("NI-34 all of this holds for 500 seeds")
  void manySeeds() {
    pass(SEEDS_LONG);
  }

  private static void pass(int seeds) {
    assertThat(
            LongStream.range(FIRST, FIRST + seeds)
                .mapToObj(ClaimScenario::failure)
                .flatMap(failure -> failure.stream())
                .limit(3))
        .isEmpty();
  }
}
