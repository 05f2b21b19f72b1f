package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random operations on an agent and its node's object, against a model of maps")
class RandomCrdOperationsTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.agent.sequences", 50);
  private static final long FIRST = Long.getLong("tidemark.agent.first", 1);

  @Test
  @DisplayName(
      "AI1 AI2 AI3 I8 Addresses, owners and promises are those of the model after each step, with"
          + " lost writes and restarts")
  void sequences() {
    int grants = 0;
    int promises = 0;
    for (long seed = FIRST; seed < FIRST + SEQUENCES; seed++) {
      RandomCrdOperations operations = new RandomCrdOperations(seed);
      try {
        for (int step = 0; step < 60; step++) {
          operations.step();
          operations.check();
        }
        operations.checkAtRest();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dtidemark.agent.sequences=1 -Dtidemark.agent.first=" + seed + ": " + operations, e);
      }
      grants += operations.grants();
      promises += operations.promises();
    }
    assertThat(grants).as("the operations are not idle").isGreaterThan(SEQUENCES * 5);
    assertThat(promises).as("addresses are released").isGreaterThan(SEQUENCES / 5);
  }
}
