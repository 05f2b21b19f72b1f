package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.AddressPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeOrderTest {
  @Test
  @DisplayName("F-1 deficits 5, 3, then balanced, then surplus 9 before 2")
  void order() {
    List<Integer> sorted =
        List.of(-2, 3, 0, -9, 5).stream().sorted(NodeReport.BY_NEEDED_ADDRESSES).toList();
    assertEquals(List.of(5, 3, 0, -9, -2), sorted);
  }

  @Test
  @DisplayName("what was begun ends first: pools are written while other nodes wait for a pass")
  void begunFirst() {
    NodeWorld world = NodeWorld.idle(EngineConfig.defaults());
    world.manager.setInstancesApiReadiness(false);
    world.watch();
    List<ScriptedNode> nodes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ScriptedNode node = world.provider.prepared("node" + i);
      AddressPlan plan = new AddressPlan(8, 8, OptionalInt.empty(), 1, 1);
      node.allocations.add(() -> CompletableFuture.supplyAsync(() -> node.grow(plan), world.time));
      nodes.add(node);
      world.create("node" + i, 8, 0);
    }
    world.run(Duration.ofSeconds(1));
    List<Long> begun = new ArrayList<>();
    world.interfere(
        (operation, name) -> {
          begun.add(nodes.stream().filter(node -> !node.allocated.isEmpty()).count());
          return Optional.empty();
        });

    world.manager.setInstancesApiReadiness(true);
    world.run(Duration.ofSeconds(1));
    assertThat(begun.get(0)).as("passes that had begun at the first write").isLessThan(50);
    assertThat(begun).as("two writes for each").hasSize(400);
  }
}
