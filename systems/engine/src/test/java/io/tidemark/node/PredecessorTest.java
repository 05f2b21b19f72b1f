package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "A write of the predecessor that arrives after the take-over (reliability: leader change)")
class PredecessorTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final AddressSet GONE = AddressSet.of(IpAddress.parse("10.99.0.8"));

  private static NodeResource node(AddressSet pool) {
    return Samples.node("node1", 8, 0, 0).withPool(PodIpPool.of(Map.of("eni-node1", pool)));
  }

  /**
   * A manager that took over a node, the pool of which is changed immediately before the manager's
   * own first write arrives.
   */
  private static NodeWorld takenOver(
      AddressSet pool, AddressSet attached, UnaryOperator<NodeResource> late) {
    NodeWorld world = NodeWorld.idle(EngineConfig.defaults());
    world.provider.readHorizon = Duration.ofSeconds(60);
    world.create(node(pool));
    world.provider.prepared("node1").attach(attached, List.of());
    AtomicBoolean open = new AtomicBoolean(true);
    world.interfere(
        (operation, name) -> {
          if (operation != Operation.GET && open.getAndSet(false)) {
            world.edit(name, late);
          }
          return Optional.empty();
        });
    return world;
  }

  private static UnaryOperator<NodeResource> pool(AddressSet pool) {
    return now -> now.withPool(PodIpPool.of(Map.of("eni-node1", pool)));
  }

  @Test
  @DisplayName("D-22 is taken over: the node begins again with it and is not blocked")
  void late() {
    NodeWorld world =
        takenOver(NodeWorld.FOREIGN, NodeWorld.FOREIGN, pool(NodeWorld.FOREIGN.plus(GONE)));
    world.predecessorWrote("node1");
    world.start();
    world.run(ONE_SECOND);
    assertThat(world.provider.log.stream().filter(each -> each.startsWith("createNode")))
        .as("begun again")
        .hasSize(2);
    assertThat(world.told).isEmpty();
    assertThat(world.metrics.all(Metric.SECOND_OWNER)).isEmpty();
    assertThat(world.blockedReason("node1")).isEmpty();
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    assertThat(world.resource("node1").pool().addresses())
        .isEqualTo(world.provider.node("node1").singles());
  }

  @Test
  @DisplayName("D-22 what it took out of the pool is offered only after a later read")
  void givenBack() {
    AddressSet both = NodeWorld.FOREIGN.plus(GONE);
    NodeWorld world = takenOver(both, both, pool(NodeWorld.FOREIGN));
    world.predecessorWrote("node1");
    world.start();
    world.run(Duration.ofSeconds(50));
    assertThat(world.resource("node1").pool().addresses().intersect(GONE)).isEmpty();
    world
        .provider
        .node("node1")
        .attach(world.provider.node("node1").singles().minus(GONE), List.of());
    world.run(Duration.ofSeconds(20));
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    assertThat(world.resource("node1").pool().addresses())
        .isEqualTo(world.provider.node("node1").singles());
  }

  @Test
  @DisplayName("D-22 is taken over seconds later as well, as long as nothing was written here")
  void secondsLate() {
    NodeWorld world = NodeWorld.idle(EngineConfig.defaults());
    world.create(node(NodeWorld.FOREIGN));
    world.provider.prepared("node1").attach(NodeWorld.FOREIGN, List.of());
    AtomicBoolean away = new AtomicBoolean(true);
    world.interfere(
        (operation, name) ->
            operation != Operation.GET && away.get()
                ? Optional.of(new StoreResult.Failed("the API server is down"))
                : Optional.empty());
    world.predecessorWrote("node1");
    world.start();
    world.run(Duration.ofSeconds(5));
    world.edit("node1", pool(NodeWorld.FOREIGN.plus(GONE)));
    away.set(false);
    world.run(Duration.ofSeconds(60));
    assertThat(world.metrics.all(Metric.SECOND_OWNER)).isEmpty();
    assertThat(world.blockedReason("node1")).isEmpty();
    assertThat(world.resource("node1").pool().addresses())
        .isEqualTo(world.provider.node("node1").singles());

    world.edit("node1", pool(NodeWorld.FOREIGN));
    world.run(ONE_SECOND);
    assertThat(world.blockedReason("node1"))
        .as("after our own first write")
        .contains(BlockedReason.SECOND_OWNER);
  }

  @Test
  @DisplayName("D-22 another operator's is none, and neither is one after our own first write")
  void rivals() {
    NodeWorld other =
        takenOver(NodeWorld.FOREIGN, NodeWorld.FOREIGN, pool(NodeWorld.FOREIGN.plus(GONE)));
    other.start();
    other.run(ONE_SECOND);
    assertThat(other.blockedReason("node1")).contains(BlockedReason.SECOND_OWNER);

    NodeWorld later = NodeWorld.filled();
    later.predecessorWrote("node1");
    later.rivalWritesPool("node1");
    later.run(ONE_SECOND);
    assertThat(later.blockedReason("node1")).contains(BlockedReason.SECOND_OWNER);
  }
}
