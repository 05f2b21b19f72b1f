package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random operations, against a model of lists and searches")
class RandomOperationsTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.agent.sequences", 100);
  private static final long FIRST = Long.getLong("tidemark.agent.first", 1);

  @Test
  @DisplayName(
      "AI1 AI2 AI3 AI4 AI5 AI6 Owners, states, counts and leases are those of the model after each"
          + " step, also over restarts; in the end every address is free")
  void sequences() {
    int grants = 0;
    for (long seed = FIRST; seed < FIRST + SEQUENCES; seed++) {
      RandomOperations operations = new RandomOperations(seed);
      try {
        for (int step = 0; step < 80; step++) {
          operations.step();
          operations.check();
        }
        operations.checkAllFree();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dtidemark.agent.sequences=1 -Dtidemark.agent.first=" + seed + ": " + operations, e);
      }
      grants += operations.grants();
    }
    assertThat(grants).as("the operations are not idle").isGreaterThan(SEQUENCES * 5);
  }
}
