package io.tidemark.datastore;

import io.tidemark.datastore.RandomStoreOperations.Kind;
import io.tidemark.datastore.RandomStoreOperations.Step;
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
 * Random steps on a store, as data: those of a seed, or some of them.
 *
 * @param chosen numbers of the steps that are done, from 0
 */
record StoreSequence(long seed, List<Integer> chosen) {
  private static final int LENGTH = 100;
  private static final int TRIES = 1_000;

  /** Each as often as it weighs. */
  private static final List<Kind> KINDS =
      Arrays.stream(Kind.values())
          .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
          .toList();

  StoreSequence {
    chosen = List.copyOf(chosen);
  }

  /** Its first violation. */
  record Failure(StoreSequence sequence, RandomStoreOperations operations, Throwable cause) {
    /** How it is run again, and what was done. */
    @Override
    public String toString() {
      return "-Dtidemark.datastore.sequences=1 -Dtidemark.datastore.first="
          + sequence.seed
          + " -Dtidemark.datastore.steps="
          + sequence.chosen.stream().map(String::valueOf).collect(Collectors.joining(","))
          + "\n"
          + operations
          + "\n"
          + cause.getMessage();
    }
  }

  /** How it went. */
  record Run(RandomStoreOperations operations, Optional<Failure> failure) {}

  static StoreSequence of(long seed) {
    return new StoreSequence(seed, IntStream.range(0, LENGTH).boxed().toList());
  }

  /** Numbers with commas between them. */
  static StoreSequence parse(long seed, String chosen) {
    return new StoreSequence(seed, Arrays.stream(chosen.split(",")).map(Integer::valueOf).toList());
  }

  private static List<Step> drawn(Random random) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      Kind kind = KINDS.get(random.nextInt(KINDS.size()));
      steps.add(new Step(kind, random.nextLong()));
    }
    return steps;
  }

  Run run() {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    RandomStoreOperations operations = new RandomStoreOperations(random.nextLong());
    List<Step> steps = drawn(random);
    for (int i = 0; i < chosen.size(); i++) {
      try {
        operations.step(steps.get(chosen.get(i)));
      } catch (AssertionError | RuntimeException e) {
        StoreSequence done = new StoreSequence(seed, chosen.subList(0, i + 1));
        return new Run(operations, Optional.of(new Failure(done, operations, e)));
      }
    }
    return new Run(operations, Optional.empty());
  }

  /** A failure of as few steps as it takes; perhaps another one than the longer sequence has. */
  static Failure shortest(Failure failure) {
    long seed = failure.sequence().seed;
    List<Integer> chosen =
        Shrinker.shortest(
            failure.sequence().chosen,
            steps -> new StoreSequence(seed, steps).run().failure().isPresent(),
            TRIES);
    return new StoreSequence(seed, chosen).run().failure().orElse(failure);
  }

  /** Runs one seed in the classes of the loader that it was loaded by: the failure, or nothing. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return of(seed).run().failure().map(it -> String.valueOf(it.cause().getMessage())).orElse("");
    }
  }

  /** The same, with the shortest failure: the numbers of its steps, then the failure. */
  public static final class Shortest implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return of(seed).run().failure().map(it -> shortest(it).toString()).orElse("");
    }
  }
}
