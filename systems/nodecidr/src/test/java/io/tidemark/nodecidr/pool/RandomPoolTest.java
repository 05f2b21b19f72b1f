package io.tidemark.nodecidr.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult.Effect;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("CiliumNodes that come, go, lose their CIDRs and come back, at random")
class RandomPoolTest {
  private static final int SEEDS = 10;
  private static final int SEEDS_LONG = 60;
  private static final int STEPS = 60;

  /** One more than there are blocks of IPv4. */
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

  @Test
  @DisplayName("NC-P2 NC-P8 NC-P10 NC-P14 have no block twice, keep theirs, and get both families")
  void random() {
    pass(SEEDS);
  }

  @Test
  @Tag("long")
  @DisplayName("NC-P2 NC-P8 NC-P10 NC-P14 all of this holds for 60 seeds")
  void manySeeds() {
    pass(SEEDS_LONG);
  }

  private static void pass(int seeds) {
    for (int seed = 0; seed < seeds; seed++) {
      Random random = new Random(seed);
      PoolWorld world = new PoolWorld("10.0.0.0/23", "10.9.0.0/23", "fd00::/108");
      Map<String, List<String>> had = new HashMap<>();
      world.start();
      for (int step = 0; step < STEPS; step++) {
        act(world, random, NAMES.get(random.nextInt(NAMES.size())), had);
        check(world, had, "seed " + seed + " step " + step);
      }
      world.failing.clear();
      world.pass(Duration.ofMinutes(5));
      check(world, had, "seed " + seed + " at the end");
      atRest(world, "seed " + seed);
    }
  }

  private static void act(
      PoolWorld world, Random random, String name, Map<String, List<String>> had) {
    boolean there = world.server.server().find(name).isPresent();
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        if (!there) {
          world.server.create(name);
        }
      }
      case 3 -> {
        if (there) {
          world.server.delete(name);
          had.remove(name);
        }
      }
      case 4 -> {
        if (there && world.server.cidrs(name).size() == 2) {
          world.server.assign(name, world.server.cidrs(name).subList(0, 1).toArray(String[]::new));
        }
      }
      case 5 -> {
        if (world.failing.remove("UPDATE " + name) == null) {
          Effect[] effects = Effect.values();
          world.failing.put("UPDATE " + name, effects[random.nextInt(effects.length)]);
        }
      }
      case 6 -> world.pass(Duration.ofSeconds(random.nextInt(90)));
      default -> world.restart();
    }
    world.pass(Duration.ofMillis(random.nextInt(300)));
  }

  private static void check(PoolWorld world, Map<String, List<String>> had, String label) {
    assertThat(
            world.server.server().all().stream().flatMap(node -> node.podCidrs().stream()).toList())
        .as(label)
        .doesNotHaveDuplicates();
    for (NodeResource node : world.server.server().all()) {
      List<String> now = node.podCidrs();
      List<String> before = had.getOrDefault(node.name(), List.of());
      assertThat(now.isEmpty() || before.isEmpty() || before.get(0).equals(now.get(0)))
          .as("%s: %s had %s and has %s", label, node.name(), before, now)
          .isTrue();
      had.put(node.name(), now);
    }
  }

  private static void atRest(PoolWorld world, String label) {
    List<NodeResource> all = world.server.server().all();
    long served = all.stream().filter(node -> node.podCidrs().size() == 2).count();
    assertThat(served).as(label).isEqualTo(Math.min(4, all.size()));
    for (NodeResource node : all) {
      assertThat(world.stateOf(node.name()))
          .as(label)
          .isEqualTo(node.podCidrs().isEmpty() ? "PARKED CIDR_EXHAUSTED" : "ASSIGNED");
      assertThat(node.operatorError().isPresent()).as(label).isEqualTo(node.podCidrs().isEmpty());
    }
  }
}
