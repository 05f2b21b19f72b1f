package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Why a node stands as it does (node-manager 13 D-19)")
class ExplanationTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

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

  @DisplayName("D-19 a node is explained with its numbers, its plan and what can be done")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D-19 a healthy node: numbers with their sums, nothing to do, nothing wrong \
            | create p=8 m=10; start; 1s; state OK; says available 10; \
              says needed 0 = max(8 - 10, 10 - 10), not below 0, not above the ceiling; \
              says asks for 0; says plan: idle: nothing to do; hides blocked:; \
              says what you can do: nothing is wrong
          D-19 a node that waits: the deficit, what is added to it (8 + 3 + surge 4), and the plan \
            | hold; pending 12; create M=30 w=3; start; 1s; \
              says pre-allocate 8 (default, none is written); says ceiling 30 (max-allocate); \
              says pending pods 12; says asks for 15; \
              says plan: allocate 15 addresses on eni-node1 from global; hides waits for its turn; \
              9s; says waits for its turn at the cloud 10 s; 30s; says pre-allocate 8
          D-19 a release: how many addresses stand where, and how many may go \
            | surplus 4; 1s; says release handshake: {candidate=4}; 2s; \
              says release handshake: {marked=4}; \
              says plan: release 4 addresses of eni-node1, 0 of them acknowledged; state RELEASING
          D-19 asking changes nothing \
            | hold; create p=8; start; 1s; afresh; tells plan; tells plan; tells plan; tells plan; \
              waiting 1; requests; asked 0
          """)
  void story(String what, String story) {
    NodeStory.run(plain.releasingAfter(Duration.ofSeconds(2)), what, story);
  }
}
