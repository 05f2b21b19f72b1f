package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who may touch what, and when (node-manager 9.3)")
class IsolationTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  @Test
  @DisplayName("D-1 whoever tells of a node asks nothing of the cloud or the API server itself")
  void watchThread() {
    NodeWorld world = NodeWorld.started(plain);
    world.provider.log.clear();
    world.manager.upsert(Samples.node("node1", 8, 0, 0));
    world.manager.upsert(Samples.node("node1", 9, 0, 0));
    world.manager.requestInstanceSync("node1");
    world.manager.delete("node1");
    world.manager.upsert(Samples.node("node2", 8, 0, 0));
    assertEquals(List.of(), world.provider.log, "before any turn has run");
    world.run(ONE_SECOND);
    assertThat(world.provider.log).contains("createNode node2 i-node2");
  }

  @Test
  @DisplayName("NM-L7 changes of one node are serial, those of different nodes overlap")
  void serialPerNode() {
    NodeWorld world = NodeWorld.started(plain);
    List<CompletableFuture<AllocationOutcome>> calls = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      calls.add(world.provider.prepared(name).hangAllocation());
      world.create(name, 8, 0);
    }
    world.run(ONE_SECOND);
    for (int used = 1; used < 5; used++) {
      for (String name : List.of("a", "b", "c")) {
        world.use(name, used);
        world.manager.requestMaintenance(name);
      }
      world.run(ONE_SECOND);
    }
    for (String name : List.of("a", "b", "c")) {
      assertEquals(1, world.provider.node(name).allocated.size(), "one call of " + name);
    }
    ScriptedNode first = world.provider.node("a");
    calls.get(0).complete(first.grow(first.allocated.get(0).ipv4()));
    world.run(ONE_SECOND);
    assertEquals("12/4", world.availableUsed("a"), "the others still hang");
    assertEquals(2, first.allocated.size());
  }

  @Test
  @DisplayName("NM-L3 NM-L2 names, reports and order come from snapshots while every node hangs")
  void snapshots() {
    NodeWorld world = NodeWorld.started(plain.releasingAfter(Duration.ofHours(1)));
    int[] used = {5, 3, 0};
    for (int i = 0; i < used.length; i++) {
      world.create("deficit-" + used[i], 8, 0);
    }
    world.create("surplus-9", 8, 0);
    world.create("surplus-2", 8, 0);
    world.run(ONE_SECOND);
    world.use("surplus-9", 9);
    world.use("surplus-2", 2);
    world.run(ONE_SECOND);
    world.use("surplus-9", 0);
    world.use("surplus-2", 0);
    world.provider.calls.hold();
    world.use("deficit-5", 5);
    world.use("deficit-3", 3);
    world.run(ONE_SECOND);
    NodeReport before = world.report("deficit-5");
    assertEquals(
        List.of("deficit-5", "deficit-3", "deficit-0", "surplus-9", "surplus-2"),
        world.manager.nodesByWatermark().stream().map(NodeReport::name).toList());
    assertEquals(
        Set.of("deficit-5", "deficit-3", "deficit-0", "surplus-9", "surplus-2"),
        world.manager.names());
    assertEquals(8, world.manager.statistics().needed());
    world.provider.calls.grantAll();
    world.run(ONE_SECOND);
    assertEquals(5, before.needed(), "a report does not change");
    assertEquals(0, world.report("deficit-5").needed());
  }

  @Test
  @DisplayName("NM-L5 a wall clock that jumps or drifts moves no delay")
  void monotonicClock() {
    NodeWorld world = NodeWorld.filled(plain.releasingAfter(Duration.ofSeconds(30)));
    world.use("node1", 2);
    world.run(ONE_SECOND);
    world.use("node1", 0);
    world.run(ONE_SECOND);
    world.time.clock().step(Duration.ofHours(-5));
    world.time.clock().drift(500_000);
    world.run(Duration.ofSeconds(14));
    world.time.clock().step(Duration.ofDays(2));
    world.run(Duration.ofSeconds(14));
    assertEquals(0, world.resource("node1").releaseIps().size());
    world.run(Duration.ofSeconds(2));
    assertEquals(2, world.resource("node1").releaseIps().size());
  }

  @Test
  @DisplayName("NM-L6 closing the manager cancels every call and timer; their ends change nothing")
  void closing() {
    NodeStory.run(
        plain,
        "one node calls, the other one rests",
        "@a callHangs; create p=8; @b create p=8; start; 1s; afresh; stop; @a cancelled; callEnds;"
            + " @b use 4; 10m; requests; asked 1; timers 0");
  }
}
