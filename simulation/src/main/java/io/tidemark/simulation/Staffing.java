package io.tidemark.simulation;

import io.tidemark.simulation.store.Sight;
import java.util.Objects;

/**
 * How many operators there are, and what they see.
 *
 * @param wanted so many run, faults apart
 * @param electing whether the one that holds the lease works, and the others stand by
 * @param firstSight what the first one sees of the store
 * @param succession how one that died is followed
 */
record Staffing(int wanted, boolean electing, Sight firstSight, Succession succession) {
  /** One that sees everything, and is started again when it dies. */
  static final Staffing ONE = new Staffing(1, false, Sight.CLEAR, Succession.RESTART);

  Staffing {
    Objects.requireNonNull(firstSight, "firstSight");
    Objects.requireNonNull(succession, "succession");
  }

  /** Whether anybody sees less than all. */
  boolean isDim() {
    return !firstSight.equals(Sight.CLEAR) || !succession.sight().equals(Sight.CLEAR);
  }

  Staffing withElection(int operators) {
    return new Staffing(operators, true, firstSight, succession);
  }

  Staffing withFirstSight(Sight sight) {
    return new Staffing(wanted, electing, sight, succession);
  }

  Staffing withSuccession(Succession other) {
    return new Staffing(wanted, electing, firstSight, other);
  }
}
