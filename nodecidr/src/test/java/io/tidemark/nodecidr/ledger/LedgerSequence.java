package io.tidemark.nodecidr.ledger;

import io.tidemark.nodecidr.ledger.RandomLedgerSteps.Kind;
import io.tidemark.nodecidr.ledger.RandomLedgerSteps.Step;
import io.tidemark.testing.Shrinker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random steps on a ledger, as data: those of a seed, or some of them.
 *
 * @param chosen numbers of the steps that are done, from 0
 */
record LedgerSequence(long seed, List<Integer> chosen) {
  private static final int LENGTH = 120;
  private static final int TRIES = 1_000;

  /** Each as often as it weighs. */
  private static final List<Kind> KINDS =
      Arrays.stream(Kind.values())
          .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
          .toList();

  LedgerSequence {
    chosen = List.copyOf(chosen);
  }

  /** Its first violation. */
  record Failure(LedgerSequence sequence, RandomLedgerSteps steps, Throwable cause) {
    /** How it is run again, and what was done. */
    @Override
    public String toString() {
      return "-Dtidemark.nodecidr.sequences=1 -Dtidemark.nodecidr.first="
          + sequence.seed
          + " -Dtidemark.nodecidr.steps="
          + sequence.chosen.stream().map(String::valueOf).collect(Collectors.joining(","))
          + "\n"
          + steps
          + "\n"
          + cause.getMessage();
    }
  }

  /** How it went. */
  record Run(RandomLedgerSteps steps, Optional<Failure> failure) {}

  static LedgerSequence of(long seed) {
    return new LedgerSequence(seed, IntStream.range(0, LENGTH).boxed().toList());
  }

  /** Numbers with commas between them. */
  static LedgerSequence parse(long seed, String chosen) {
    return new LedgerSequence(
        seed, Arrays.stream(chosen.split(",")).map(Integer::valueOf).toList());
  }

  Run run() {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    RandomLedgerSteps steps = new RandomLedgerSteps(random.nextLong());
    List<Step> drawn = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      drawn.add(new Step(KINDS.get(random.nextInt(KINDS.size())), random.nextLong()));
    }
    for (int i = 0; i < chosen.size(); i++) {
      try {
        steps.step(drawn.get(chosen.get(i)));
      } catch (AssertionError | RuntimeException e) {
        LedgerSequence done = new LedgerSequence(seed, chosen.subList(0, i + 1));
        return new Run(steps, Optional.of(new Failure(done, steps, e)));
      }
    }
    return new Run(steps, Optional.empty());
  }

  /** A failure of as few steps as it takes; perhaps another one than the longer sequence has. */
  static Failure shortest(Failure failure) {
    long seed = failure.sequence().seed;
    List<Integer> chosen =
        Shrinker.shortest(
            failure.sequence().chosen,
            steps -> new LedgerSequence(seed, steps).run().failure().isPresent(),
            TRIES);
    return new LedgerSequence(seed, chosen).run().failure().orElse(failure);
  }

  /** Runs one seed in the classes of the loader that it was loaded by: the failure, or nothing. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return of(seed).run().failure().map(it -> String.valueOf(it.cause().getMessage())).orElse("");
    }
  }
}
