package io.tidemark.nodecidr.ledger;

import io.tidemark.nodecidr.ledger.RandomLedgerSteps.Kind;
import io.tidemark.nodecidr.ledger.RandomLedgerSteps.Step;
import io.tidemark.testing.StepSequence;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Random steps on a ledger. */
final class LedgerSequence implements StepSequence.Subject<RandomLedgerSteps> {
  static final LedgerSequence STEPS = new LedgerSequence();

  /** Each as often as it weighs. */
  private static final List<Kind> KINDS =
      Arrays.stream(Kind.values())
          .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
          .toList();

  private LedgerSequence() {}

  @Override
  public Limits limits() {
    return new Limits("tidemark.nodecidr.sequences", 120, 1_000);
  }

  @Override
  public RandomLedgerSteps begin(long seed) {
    return new RandomLedgerSteps(seed);
  }

  @Override
  public Consumer<RandomLedgerSteps> draw(Random random) {
    Step step = new Step(KINDS.get(random.nextInt(KINDS.size())), random.nextLong());
    return world -> world.step(step);
  }

  @Override
  public void end(RandomLedgerSteps world) {
    world.end();
  }

  /** Runs one seed in the classes of the loader that it was loaded by: the failure, or nothing. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return StepSequence.violation(STEPS, seed);
    }
  }
}
