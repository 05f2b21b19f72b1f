package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random operations on pools that change, against a model of sets")
class RandomPoolsTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.agent.sequences", 100);
  private static final long FIRST = Long.getLong("tidemark.agent.first", 1);

  @Test
  @DisplayName(
      "A79 A82 AI1 AI2 AI3 AI6 AI7 AI10 Whatever is seen late or lost: no address of another node"
          + " is used, each block on offer is accounted for, and each pod keeps its address")
  void sequences() {
    int grants = 0;
    int givenBack = 0;
    for (long seed = FIRST; seed < FIRST + SEQUENCES; seed++) {
      RandomPools pools = new RandomPools(seed);
      try {
        for (int step = 0; step < 80; step++) {
          pools.step();
          pools.check();
        }
        pools.settle();
        pools.check();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dtidemark.agent.sequences=1 -Dtidemark.agent.first=" + seed + ": " + pools, e);
      }
      grants += pools.grants;
      givenBack += pools.givenBack;
    }
    assertThat(grants).as("the operations are not idle").isGreaterThan(SEQUENCES * 3);
    assertThat(givenBack).as("blocks are given back").isGreaterThan(SEQUENCES / 2);
  }
}
