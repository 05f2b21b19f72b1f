package io.tidemark.datastore;

import io.tidemark.datastore.RandomStoreOperations.Kind;
import io.tidemark.datastore.RandomStoreOperations.Step;
import io.tidemark.testing.StepSequence;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Random steps on a store. */
final class StoreSequence implements StepSequence.Subject<RandomStoreOperations> {
  static final StoreSequence STEPS = new StoreSequence();

  /** Each as often as it weighs. */
  private static final List<Kind> KINDS =
      Arrays.stream(Kind.values())
          .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
          .toList();

  private StoreSequence() {}

  @Override
  public Limits limits() {
    return new Limits("tidemark.datastore.sequences", 100, 1_000);
  }

  @Override
  public RandomStoreOperations begin(long seed) {
    return new RandomStoreOperations(seed);
  }

  @Override
  public Consumer<RandomStoreOperations> draw(Random random) {
    Step step = new Step(KINDS.get(random.nextInt(KINDS.size())), random.nextLong());
    return world -> world.step(step);
  }

  @Override
  public void end(RandomStoreOperations world) {
    world.end();
  }

  /** Runs one seed in the classes of the loader that it was loaded by: the failure, or nothing. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return StepSequence.violation(STEPS, seed);
    }
  }

  /** The same, with the shortest failure: the numbers of its steps, then the failure. */
  public static final class Shortest implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return StepSequence.of(STEPS, seed)
          .run()
          .failure()
          .map(it -> it.shortest().toString())
          .orElse("");
    }
  }
}
