package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random operations with a file that fails, against a model of lists and searches")
class RandomStoreOperationsTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.datastore.sequences", 200);
  private static final long FIRST = Long.getLong("tidemark.datastore.first", 1);

  @Test
  @DisplayName(
      "DI1 DI2 DI3 DI4 DI5 DI6 DI7 DI9 DI10 D113 Assignments, totals, orphans and the file are those"
          + " of the model after each step, over failed writes, crashes and losses of power")
  void sequences() {
    int grants = 0;
    int crashes = 0;
    int failures = 0;
    for (long seed = FIRST; seed < FIRST + SEQUENCES; seed++) {
      RandomStoreOperations operations = new RandomStoreOperations(seed);
      try {
        for (int step = 0; step < 100; step++) {
          operations.step();
          operations.check();
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dtidemark.datastore.sequences=1 -Dtidemark.datastore.first="
                + seed
                + ": "
                + operations,
            e);
      }
      grants += operations.grants();
      crashes += operations.crashes();
      failures += operations.failures();
    }
    assertThat(grants).as("the operations are not idle").isGreaterThan(SEQUENCES * 5);
    assertThat(crashes).isGreaterThan(SEQUENCES / 2);
    assertThat(failures).isGreaterThan(SEQUENCES / 2);
  }
}
