package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Random pods, faults and crashes of a node that keeps its pool at its targets")
class RandomPoolTest {
  private static final int SEEDS = Integer.getInteger("tidemark.datastore.pool.seeds", 300);
  private static final long FIRST = Long.getLong("tidemark.datastore.pool.first", 1);

  @Test
  @DisplayName(
      "D122 D123 D124 No address has two pods, none in use is detached, nothing is leaked, and"
          + " the node comes to rest at its targets")
  void seeds() {
    int[] all = new int[5];
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
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
    assertThat(all[0]).as("grants").isGreaterThan(SEEDS * 20);
    for (int i = 1; i < all.length; i++) {
      assertThat(all[i]).as("faults of kind %s", i).isGreaterThan(SEEDS / 2);
    }
  }

  @ParameterizedTest(name = "DI6 A crash at any effect leaks nothing, after it: {0}")
  @ValueSource(booleans = {false, true})
  void crashAtEachEffect(boolean after) {
    for (long seed = 1; seed <= 3; seed++) {
      boolean crashed = true;
      for (int effect = 0; crashed; effect++) {
        RandomPool pool = RandomPool.crashing(seed, effect, after);
        assertThat(pool.run()).as("seed %s, effect %s", seed, effect).isEmpty();
        crashed = pool.counts()[1] > 0;
        assertThat(effect > 10 || crashed).as("there are effects").isTrue();
      }
    }
  }
}
