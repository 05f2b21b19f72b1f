package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Why a node stands as it does (node-manager 13 D-19)")
class ExplanationTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  @Test
  @DisplayName("D-19 a healthy node: numbers with their sums, nothing to do, nothing wrong")
  void healthy() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node1", 8, 10);
    world.run(ONE_SECOND);
    Explanation explained = world.explain("node1");
    assertEquals(NodeState.OK, explained.state());
    assertEquals("10", explained.numbers().get("available"));
    assertEquals(
        "0 = max(8 - 10, 10 - 10), not below 0, not above the ceiling",
        explained.numbers().get("needed"));
    assertEquals("0", explained.numbers().get("asks for"));
    assertEquals("idle: nothing to do", explained.plan());
    assertEquals(Optional.empty(), explained.blocked());
    assertThat(explained.toText()).contains("what you can do: nothing is wrong");
  }

  @Test
  @DisplayName("D-19 a node that waits: the deficit, what is added to it, and the plan")
  void waiting() {
    NodeWorld world = NodeWorld.started(plain);
    world.provider.calls.hold();
    world.pendingPods.put("node1", 12);
    world.create(
        Samples.node("node1").instanceId("i-1").maxAllocate(30).maxAboveWatermark(3).build());
    world.run(ONE_SECOND);
    Explanation explained = world.explain("node1");
    assertEquals("8 (default, none is written)", explained.numbers().get("pre-allocate"));
    assertEquals("30 (max-allocate)", explained.numbers().get("ceiling"));
    assertEquals("12", explained.numbers().get("pending pods"));
    assertEquals("15", explained.numbers().get("asks for"), "8 + 3 + surge 4");
    assertEquals("allocate 15 addresses on eni-node1 from global", explained.plan());
    assertThat(explained.numbers()).doesNotContainKey("waits for its turn at the cloud");
    world.run(Duration.ofSeconds(9));
    assertEquals("10 s", world.explain("node1").numbers().get("waits for its turn at the cloud"));
    world.run(NodeStatusWriter.WriteSchedule.LONGEST_FIRST_PASS);
    assertEquals("8", world.explain("node1").numbers().get("pre-allocate"), "written meanwhile");
  }

  @Test
  @DisplayName("D-19 a node is explained as blocked from the instant at which its plan is stuck")
  void stuckAtOnce() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node1", 8, 10);
    world.run(ONE_SECOND);
    world.provider.node("node1").room = 0;
    world.use("node1", 10);
    List<Explanation> all = new ArrayList<>();
    for (int step = 0; step < 50; step++) {
      world.manager.explain("node1").thenAccept(found -> found.ifPresent(all::add));
      world.time.step();
    }

    assertThat(all)
        .filteredOn(each -> each.plan().startsWith("none: "))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.state()).isEqualTo(NodeState.BLOCKED))
        .allSatisfy(each -> assertThat(each.blocked()).isPresent());
  }

  static Stream<Arguments> blocked() {
    Blocked elsewhere = new Blocked(BlockedReason.INSTANCES_ELSEWHERE, "none is in region r");
    Blocked exhausted = new Blocked(BlockedReason.SUBNET_EXHAUSTED, "subnet-7 has none");
    Blocked missing =
        new Blocked(BlockedReason.INSTANCE_MISSING, "the cloud says there is no i-node1");
    String noRoom = "8 addresses missing, no room on 1 interfaces and ";
    Blocked none = new Blocked(BlockedReason.OUT_OF_INTERFACES, noRoom + "0 empty slots");
    Blocked fewer = new Blocked(BlockedReason.OUT_OF_INTERFACES, noRoom + "1 above the limit");
    return Stream.of(
        row(exhausted, node -> node.blocked = Optional.of(exhausted)),
        row(missing, node -> node.override = Optional.of(new Inventory.InstanceMissing(true))),
        row(elsewhere, node -> node.override = Optional.of(missing(elsewhere))),
        row(none, node -> node.room = 0),
        row(fewer, node -> node.lacksSlots(1)));
  }

  private static Inventory missing(Blocked why) {
    return new Inventory.InstanceMissing(true, Optional.of(why));
  }

  private static Arguments row(Blocked why, Consumer<ScriptedNode> script) {
    return Arguments.of(why, script);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  @DisplayName("D-19 D-10 a blocked node: reason, offending value and what a person can do")
  void blocked(Blocked why, Consumer<ScriptedNode> script) {
    NodeWorld world = NodeWorld.started(plain);
    ScriptedNode node = world.provider.prepared("node1");
    script.accept(node);
    node.refresh();
    world.create("node1", 8, 0);
    world.run(ONE_SECOND);
    assertEquals(Optional.of(why), world.report("node1").blocked());
    Explanation explained = world.explain("node1");
    assertEquals(NodeState.BLOCKED, explained.state());
    assertEquals(Optional.of(why), explained.blocked());
    assertEquals(why.reason().remedy(), explained.advice());
    assertThat(explained.toText()).contains(why.detail(), why.reason().label());
    assertThat(explained.plan()).startsWith("none: ");
    assertThat(explained.numbers().get("pre-allocate")).isEqualTo("8");
  }

  @Test
  @DisplayName("D-19 a node without instance id, and a name that nobody knows")
  void incomplete() {
    NodeWorld world = NodeWorld.started(plain);
    world.create(Samples.node("node1").preAllocate(8).build());
    world.run(ONE_SECOND);
    Explanation explained = world.explain("node1");
    assertEquals(NodeState.INCOMPLETE, explained.state());
    assertEquals(BlockedReason.NO_INSTANCE_ID, explained.blocked().orElseThrow().reason());
    assertEquals(
        Optional.empty(),
        world.manager.explain("nobody").toCompletableFuture().getNow(Optional.empty()));
  }

  @Test
  @DisplayName("D-19 a release: how many addresses stand where, and how many may go")
  void releasing() {
    NodeWorld world = NodeWorld.filled(plain.releasingAfter(Duration.ofSeconds(2)));
    ScriptedNode node = world.provider.node("node1");
    node.attach(node.singles().plus(AddressSet.ofRange(Cidr.parse("10.16.6.0/30"))), List.of());
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(Map.of("candidate", 4), world.explain("node1").handshakes());
    world.run(Duration.ofSeconds(2));
    Explanation explained = world.explain("node1");
    assertEquals(Map.of("marked", 4), explained.handshakes());
    assertEquals("release 4 addresses of eni-node1, 0 of them acknowledged", explained.plan());
    assertEquals(NodeState.RELEASING, explained.state());
  }

  @Test
  @DisplayName("D-19 asking changes nothing")
  void harmless() {
    NodeWorld world = NodeWorld.started(plain);
    world.provider.calls.hold();
    world.create("node1", 8, 0);
    world.run(ONE_SECOND);
    world.takeRequests();
    for (int i = 0; i < 10; i++) {
      world.explain("node1");
    }
    assertEquals(1, world.provider.calls.waiters().size());
    assertEquals(List.of(), world.takeRequests());
    assertEquals(0, world.provider.node("node1").allocated.size());
  }
}
