package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Random pods, faults and crashes of a node that keeps its pool at its targets")
class RandomPoolTest {
  private static final int SEEDS = Integer.getInteger("tidemark.datastore.pool.seeds", 30);
  private static final int SEEDS_LONG = Integer.getInteger("tidemark.datastore.pool.seeds", 300);
  private static final long FIRST = Long.getLong("tidemark.datastore.pool.first", 1);

  @Test
  @DisplayName(
      "D122 D123 D124 No address has two pods, none in use is detached, nothing is leaked, and"
          + " the node comes to rest at its targets")
  void seeds() {
    pass(SEEDS);
  }

  @Test
  @Tag("long")
  @DisplayName("D122 D123 D124 all of this holds for 300 seeds")
  void manySeeds() {
    pass(SEEDS_LONG);
  }

  private static void pass(int count) {
    int[] all = new int[5];
    for (long seed = FIRST; seed < FIRST + count; seed++) {
      RandomPool pool = new RandomPool(seed);
      String violation;
      try {
        violation = pool.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("-Dtidemark.datastore.pool.first=" + seed, e);
      }
      assertThat(violation).as("-Dtidemark.datastore.pool.first=%s", seed).isEmpty();
      int[] counts = pool.counts();
      for (int i = 0; i < all.length; i++) {
        all[i] += counts[i];
      }
    }
    assertThat(all[0]).as("grants").isGreaterThan(count * 20);
    for (int i = 1; i < all.length; i++) {
      assertThat(all[i]).as("faults of kind %s", i).isGreaterThan(count / 2);
    }
  }

  @ParameterizedTest(name = "DI6 A crash at an effect leaks nothing, after it: {0}")
  @ValueSource(booleans = {false, true})
  void crashAtEffects(boolean after) {
    crash(1, 4, after);
  }

  @Tag("long")
  @ParameterizedTest(name = "DI6 A crash at any effect of three seeds leaks nothing, after it: {0}")
  @ValueSource(booleans = {false, true})
  void crashAtEachEffect(boolean after) {
    crash(3, 1, after);
  }

  /** Crashes at each effect, or at each one of {@code every}. */
  private static void crash(int seeds, int every, boolean after) {
    for (long seed = 1; seed <= seeds; seed++) {
      boolean crashed = true;
      for (int effect = 0; crashed; effect += every) {
        RandomPool pool = RandomPool.crashing(seed, effect, after);
        assertThat(pool.run()).as("seed %s, effect %s", seed, effect).isEmpty();
        crashed = pool.counts()[1] > 0;
        assertThat(effect > 10 || crashed).as("there are effects").isTrue();
      }
    }
  }
}
