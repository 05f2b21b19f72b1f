package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.StepSequence;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Random steps on a ledger, against a model of lists and searches")
class RandomLedgerTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.nodecidr.sequences", 20);
  private static final int SEQUENCES_LONG = Integer.getInteger("tidemark.nodecidr.sequences", 200);
  private static final long FIRST = Long.getLong("tidemark.nodecidr.first", 1);

  /** Of a failing sequence: the steps that it takes. */
  private static final String STEPS = System.getProperty("tidemark.nodecidr.steps", "-");

  @Test
  @DisplayName(
      "NC-I1 NC-I2 NC-I3 NC-I4 NC-I5 NC-I6 NC-I7 NC-B29 NC-AM13 Claims, reservations and counts are"
          + " those of the model after each step, in both families, with blocks of mixed lengths")
  void sequences() {
    pass(SEQUENCES);
  }

  @Test
  @Tag("long")
  @DisplayName("NC-I1 NC-I7 all of this holds in 200 sequences")
  void manySequences() {
    pass(SEQUENCES_LONG);
  }

  private static void pass(int count) {
    int assigned = 0;
    for (long seed = FIRST; seed < FIRST + count; seed++) {
      assigned += StepSequence.passes(LedgerSequence.STEPS, seed, STEPS).assigned();
    }
    if (STEPS.equals("-")) {
      assertThat(assigned).as("the steps are not idle").isGreaterThan(count * 3);
    }
  }
}
