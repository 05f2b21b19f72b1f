package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is said of a node is what its object and its instance have")
class NodeStateTest {
  private static final EngineConfig PLAIN = EngineConfig.defaults();

  /** As a predecessor leaves it: the cloud has the addresses, and the object does not. */
  private static NodeWorld takenOver() {
    NodeWorld world = NodeWorld.idle(PLAIN);
    world.create("node1", 8, 0);
    ScriptedNode node = world.provider.prepared("node1");
    node.attach(AddressSet.ofRange(Cidr.parse("10.16.1.0/29")), List.of());
    return world;
  }

  @Test
  @DisplayName("a node whose object lacks what is attached is filling, and ok when it is written")
  void unwritten() {
    NodeWorld world = takenOver();
    world.answer(Operation.UPDATE_STATUS, new StoreResult.Failed("no route"));
    world.start();
    world.run(Duration.ofSeconds(1));
    NodeReport before = world.report("node1");
    assertThat(before.available()).isEqualTo(8);
    assertThat(before.needed()).isZero();
    assertThat(before.state()).isEqualTo(NodeState.FILLING);
    assertThat(world.resource("node1").pool().isEmpty()).isTrue();
    assertThat(world.explain("node1").toText())
        .contains("node node1 is filling")
        .contains("not in the object    8")
        .contains("what you can do: Wait: the operator writes the addresses into the object");
    world.answerAsUsual();
    world.run(Duration.ofMinutes(1));
    assertThat(world.resource("node1").pool().size()).isEqualTo(8);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    assertThat(world.explain("node1").toText()).doesNotContain("not in the object");
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("a pool that the server did not keep is missing, whatever the write was answered")
  void dropped() {
    NodeWorld world = NodeWorld.filled();
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    world.provider.node("node1").attach(AddressSet.of(), List.of());
    world.interfere(
        (operation, name) ->
            operation == Operation.UPDATE
                ? Optional.of(new StoreResult.Stored(world.resource(name)))
                : Optional.empty());
    world.use("node1", 3);
    world.run(Duration.ofSeconds(2));
    assertThat(world.report("node1").needed()).isZero();
    assertThat(world.report("node1").available()).isEqualTo(11);
    assertThat(world.resource("node1").pool().size()).isEqualTo(8);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.FILLING);
  }

  @Test
  @DisplayName("CO-8 a node is not reported, and not blocked, before it is read")
  void firstEvents() {
    NodeWorld world = NodeWorld.idle(PLAIN);
    List<NodeReport> told = new ArrayList<>();
    world.manager.onChange(name -> world.manager.report(name).ifPresent(told::add));
    world.create("node1", 8, 0);
    world.manager.upsert(world.resource("node1"));
    NodeReport first = world.report("node1");
    assertThat(first.state()).isEqualTo(NodeState.WAITING);
    assertThat(first.blocked()).isEmpty();
    assertThat(first.settled()).isFalse();
    world.start();
    world.run(Duration.ofSeconds(2));
    assertThat(told)
        .extracting(NodeReport::state)
        .doesNotContain(NodeState.WAITING, NodeState.INCOMPLETE);
    assertThat(told)
        .extracting(report -> report.blocked().map(Blocked::reason))
        .doesNotContain(Optional.of(BlockedReason.NO_INSTANCE_ID));
    assertThat(told.get(told.size() - 1).state()).isEqualTo(NodeState.OK);
  }

  @Test
  @DisplayName("a node that gets another instance waits for its read, and is not incomplete")
  void replaced() {
    NodeWorld world = NodeWorld.started(PLAIN);
    world.create(Samples.node("node1").preAllocate(8).build());
    world.run(Duration.ofSeconds(1));
    assertThat(world.report("node1").state()).isEqualTo(NodeState.INCOMPLETE);
    world.edit("node1", resource -> resource.withInstanceId("i-1"));
    world.run(Duration.ofSeconds(2));
    List<NodeReport> told = new ArrayList<>();
    world.manager.onChange(name -> world.manager.report(name).ifPresent(told::add));
    world.edit("node1", resource -> resource.withInstanceId("i-2"));
    world.run(Duration.ofSeconds(2));
    assertThat(told).extracting(NodeReport::state).doesNotContain(NodeState.INCOMPLETE);
  }
}
