package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.StepSequence;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Random operations with a file that fails, against a model of lists and searches")
class RandomStoreOperationsTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.datastore.sequences", 20);
  private static final int SEQUENCES_LONG = Integer.getInteger("tidemark.datastore.sequences", 200);
  private static final long FIRST = Long.getLong("tidemark.datastore.first", 1);

  /** Of a failing sequence: the steps that it takes. */
  private static final String STEPS = System.getProperty("tidemark.datastore.steps", "-");

  @Test
  @DisplayName(
      "DI1 DI2 DI3 DI4 DI5 DI6 DI7 DI8 DI9 DI10 DI11 DI12 D113 Assignments, totals, orphans and"
          + " the file are those of the model after each step, over"
          + " failed writes, crashes and losses of power")
  void sequences() {
    pass(SEQUENCES);
  }

  @Test
  @Tag("long")
  @DisplayName("DI1 DI12 all of this holds in 200 sequences")
  void manySequences() {
    pass(SEQUENCES_LONG);
  }

  private static void pass(int count) {
    int grants = 0;
    int crashes = 0;
    int failures = 0;
    for (long seed = FIRST; seed < FIRST + count; seed++) {
      RandomStoreOperations left = StepSequence.passes(StoreSequence.STEPS, seed, STEPS);
      grants += left.grants();
      crashes += left.crashes();
      failures += left.failures();
    }
    if (STEPS.equals("-")) {
      assertThat(grants).as("the operations are not idle").isGreaterThan(count * 5);
      assertThat(crashes).isGreaterThan(count / 2);
      assertThat(failures).isGreaterThan(count / 2);
    }
  }
}
