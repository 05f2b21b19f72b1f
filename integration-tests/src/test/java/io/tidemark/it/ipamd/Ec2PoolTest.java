package io.tidemark.it.ipamd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Random pods, faults and crashes of a node on the strict EC2")
class Ec2PoolTest {
  private static final int SEEDS = Integer.getInteger("tidemark.ipamd.seeds", 8);
  private static final int SEEDS_LONG = Integer.getInteger("tidemark.ipamd.seeds", 1_000);
  private static final long FIRST = Long.getLong("tidemark.ipamd.first", 1);

  @Test
  @DisplayName(
      "D121 D122 D123 D124 No address has two pods, none in use is detached, nothing is left behind"
          + " in EC2, and the node comes to rest at its targets")
  void seeds() {
    run(SEEDS);
  }

  @Test
  @Tag("long")
  @DisplayName("D121 D122 D123 D124 The same with many more seeds")
  void manySeeds() {
    run(SEEDS_LONG);
  }

  private static void run(int seeds) {
    long[] all = new long[7];
    for (long seed = FIRST; seed < FIRST + seeds; seed++) {
      List<Integer> counts = run(seed);
      for (int i = 0; i < all.length; i++) {
        all[i] += counts.get(i);
      }
    }
    assertThat(all[0]).as("grants").isGreaterThan(seeds * 20L);
    for (int i = 1; i < all.length - 1; i++) {
      assertThat(all[i]).as("faults of kind %s", i).isGreaterThan(seeds / 2);
    }
    assertThat(all[all.length - 1]).as("starts without EC2").isGreaterThan(seeds / 10);
  }

  private static List<Integer> run(long seed) {
    String replay =
        "mvn -pl integration-tests -am test -Dtest=Ec2PoolTest#seeds"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dtidemark.ipamd.seeds=1"
            + " -Dtidemark.ipamd.first="
            + seed;
    try {
      Ec2Pool pool = new Ec2Pool(seed);
      assertThat(pool.run()).as(replay).isEmpty();
      return pool.counts();
    } catch (RuntimeException e) {
      throw new AssertionError(replay, e);
    }
  }

  @ParameterizedTest(name = "D121 A crash at every tenth effect leaves nothing, after it: {0}")
  @ValueSource(booleans = {false, true})
  void crashAtSomeEffects(boolean after) {
    crashes(1, after, 10);
  }

  @Tag("long")
  @ParameterizedTest(name = "D121 A crash at any effect leaves nothing behind, after it: {0}")
  @ValueSource(booleans = {false, true})
  void crashAtEachEffect(boolean after) {
    for (long seed = 1; seed <= 10; seed++) {
      crashes(seed, after, 1);
    }
  }

  private static void crashes(long seed, boolean after, int step) {
    boolean crashed = true;
    for (int effect = 0; crashed; effect += step) {
      Ec2Pool pool = Ec2Pool.crashing(seed, effect, after);
      assertThat(pool.run()).as("seed %s, effect %s", seed, effect).isEmpty();
      crashed = pool.counts().get(1) > 0;
      assertThat(effect > 10 || crashed).as("there are effects").isTrue();
    }
  }
}
