package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Node manager tests of the catalogue (node-manager 10.3)")
class NodeManagerTest {
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();
  private final EngineConfig releasing =
      EngineConfig.defaults().releasingAfter(Duration.ofSeconds(2));

  @Test
  @DisplayName("C-10 C-11 names follow upserts and deletes, and a node is found while it exists")
  void names() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node1", 0, 0);
    world.run(ONE_SECOND);
    assertEquals(Set.of("node1"), world.manager.names());
    assertEquals(Optional.of("node1"), world.manager.report("node1").map(NodeReport::name));
    assertEquals(Optional.empty(), world.manager.report("node2"));
    world.create("node2", 0, 0);
    world.run(ONE_SECOND);
    assertEquals(Set.of("node1", "node2"), world.manager.names());
    world.server.delete("node1");
    world.run(ONE_SECOND);
    assertEquals(Set.of("node2"), world.manager.names());
    assertEquals(Optional.empty(), world.manager.report("node1"));
  }

  @Test
  @DisplayName("C-12 a deleted node's gauges are removed; other names are untouched")
  void delete() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node-foo", 0, 0);
    world.run(ONE_SECOND);
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(0, world.metrics.value(Metric.USED_IPS, "node-foo"));
    assertEquals(8, world.metrics.value(Metric.NODE_SPARE_IPS, "node-foo"));
    world.manager.delete("unknown");
    world.server.delete("node-foo");
    world.run(ONE_SECOND);
    assertEquals(Map.of(), world.metrics.all(Metric.NODE_SPARE_IPS));
    assertEquals(Optional.empty(), world.manager.report("node-foo"));
    assertEquals(Optional.empty(), world.manager.report("unknown"));
    assertEquals(Set.of(), world.manager.names());
  }

  @DisplayName("C-13 C-14 C-15 the watermarks hold while pods come and go")
  @ParameterizedTest(name = "{0}, p={1} m={2}: {3}, then {4}")
  @CsvSource({
    "C-13 default watermarks,             8,  0, 8/0,  15/7",
    "C-14 min-allocate alone,             1, 10, 10/0, 10/8",
    "C-15 min and pre-allocate together,  1, 10, 10/0, 10/9 11/10 11/8",
  })
  void watermarks(String behaviour, int pre, int min, String first, String then) {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node1", pre, min);
    world.awaitNoNeed("node1", FIVE_SECONDS);
    assertEquals(first, world.availableUsed("node1"), behaviour);
    for (String standing : then.split(" ", -1)) {
      world.use("node1", Integer.parseInt(standing.substring(standing.indexOf('/') + 1)));
      world.run(ONE_SECOND);
      assertEquals(standing, world.availableUsed("node1"), behaviour);
    }
    NodeReport report = world.report("node1");
    assertEquals(report.available(), world.resource("node1").pool().size());
  }

  @Test
  @DisplayName("C-14 min-allocate 20 with pre-allocate unset, which is written then")
  void minAllocate() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node1", 1, 10);
    world.awaitNoNeed("node1", FIVE_SECONDS);
    world.use("node1", 8);
    world.run(ONE_SECOND);
    world.edit("node1", resource -> resource.withIpam(IpamSpec.of(0, 20, 0, 0)));
    world.run(ONE_SECOND);
    assertEquals("20/8", world.availableUsed("node1"));
    assertEquals(
        8, world.resource("node1").ipam().preAllocate(), "6.4: a missing value is written");
  }

  @Test
  @DisplayName("C-14 a negative pre-allocate lets min-allocate alone decide")
  void negativePreAllocate() {
    NodeWorld world = NodeWorld.started(plain);
    // No store keeps a negative mark, so it comes from whoever calls the manager.
    world.manager.upsert(Samples.node("node1", -1, 10, 0));
    world.awaitNoNeed("node1", FIVE_SECONDS);
    assertEquals("10/0", world.availableUsed("node1"));
    world.manager.upsert(Samples.node("node1", -1, 10, 8));
    world.run(ONE_SECOND);
    assertEquals("10/8", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("C-16 release: 19/0, 19/11, 27/19, excess waits for the agent, then 19/10")
  void release() {
    NodeWorld world = NodeWorld.started(releasing);
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(4)
            .minAllocate(15)
            .maxAboveWatermark(4)
            .build());
    world.awaitNoNeed("node1", ONE_SECOND);
    assertEquals("19/0", world.availableUsed("node1"));
    world.use("node1", 11);
    world.run(ONE_SECOND);
    assertEquals("19/11", world.availableUsed("node1"));
    world.use("node1", 19);
    world.run(ONE_SECOND);
    assertEquals("27/19", world.availableUsed("node1"));
    world.use("node1", 10);
    world.run(Duration.ofSeconds(4));
    assertEquals("27/10", world.availableUsed("node1"), "nothing goes without the agent");
    assertEquals(8, world.resource("node1").releaseIps().size());
    world.agentAnswers("node1", HandshakeState.READY_FOR_RELEASE);
    world.run(FIVE_SECONDS);
    assertEquals("19/10", world.availableUsed("node1"));
    assertEquals(19, world.resource("node1").pool().size());
    assertEquals(
        Set.of(HandshakeState.RELEASED), Set.copyOf(world.resource("node1").releaseIps().values()));
    world.agentCleansUp("node1");
    world.run(ONE_SECOND);
    assertEquals(0, world.resource("node1").releaseIps().size());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("C-17 abort: an acknowledged address that is needed again is not released")
  void abort() {
    NodeWorld world = NodeWorld.started(releasing).withOneSurplus("node1");
    world.run(Duration.ofSeconds(4));
    assertEquals("4/2", world.availableUsed("node1"));
    assertEquals(1, world.resource("node1").releaseIps().size());
    world.provider.calls.hold();
    world.agentAnswers("node1", HandshakeState.READY_FOR_RELEASE);
    world.run(ONE_SECOND);
    world.use("node1", 3);
    world.run(ONE_SECOND);
    world.provider.calls.grantAll();
    world.run(ONE_SECOND);
    assertEquals(0, world.resource("node1").releaseIps().size());
    assertEquals("4/3", world.availableUsed("node1"));
    assertEquals(0, world.provider.node("node1").released.size());
    assertEquals(1, world.provider.calls.givenBack());
  }

  @Test
  @DisplayName("C-18 a released address that is assigned again is freed of its entry: 4/2")
  void reassignment() {
    NodeWorld world = NodeWorld.started(releasing).withOneSurplus("node1");
    world.run(Duration.ofSeconds(4));
    AddressSet before = world.provider.node("node1").singles();
    world.agentAnswers("node1", HandshakeState.READY_FOR_RELEASE);
    world.run(ONE_SECOND);
    assertEquals("3/2", world.availableUsed("node1"));
    assertEquals(
        Set.of(HandshakeState.RELEASED), Set.copyOf(world.resource("node1").releaseIps().values()));

    world.provider.node("node1").attach(before, List.of());
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(Map.of(), world.resource("node1").releaseIps(), "usable again");
    assertEquals("4/2", world.availableUsed("node1"));
    assertEquals(before, world.resource("node1").pool().addresses());
  }

  @Test
  @DisplayName("C-19 a hundred nodes reach 10/0, and the sums are right")
  void manyNodes() {
    NodeWorld world = NodeWorld.started(plain);
    for (int i = 0; i < 100; i++) {
      world.create("node" + i, 1, 10);
    }
    world.run(FIVE_SECONDS);
    for (int i = 0; i < 100; i++) {
      assertEquals("10/0", world.availableUsed("node" + i));
    }
    world.manager.resync();
    world.run(ONE_SECOND);
    ClusterStatistics sums = world.manager.statistics();
    assertEquals(
        new ClusterStatistics(0, 1000, 0, sums.remainingInterfaces(), 100, 0, 100, 0, 0), sums);
    assertEquals(100, world.metrics.value(Metric.NODES, "total"));
    assertEquals(0, world.metrics.value(Metric.NODES, "in-deficit"));
    assertEquals(0, world.metrics.value(Metric.NODES, "at-capacity"));
    assertEquals(1000, world.metrics.value(Metric.IPS, "available"));
    assertEquals(0, world.metrics.value(Metric.IPS, "needed"));
    assertEquals(0, world.metrics.value(Metric.IPS, "used"));
    assertEquals(2, world.metrics.value(Metric.RESYNC_TOTAL));
  }

  @Test
  @DisplayName("C-21 a missing instance is looked for once, again after a transient failure")
  void missingInstance() {
    NodeWorld world = NodeWorld.filled();
    ScriptedNode node = world.provider.node("node1");
    node.override = Optional.of(new Inventory.InstanceMissing(false));
    world.provider.failInstanceSync(Failure.Kind.TRANSIENT);
    world.manager.resync();
    world.manager.resync();
    world.run(Duration.ofMillis(500));
    assertEquals(1, world.provider.count("instanceSync"), "once, although scanned twice");
    assertEquals(
        Optional.of(BlockedReason.INSTANCE_MISSING),
        world.report("node1").blocked().map(Blocked::reason));
    world.assertUnsettled("node1");
    world.run(Duration.ofSeconds(10));
    assertEquals(
        2, world.provider.count("instanceSync"), "again after the pause, then found absent");
    world.provider.instanceSyncs.add(
        () -> CompletableFuture.completedStage(new SyncOutcome.InstanceNotFound()));
    node.override = Optional.empty();
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(NodeState.OK, world.report("node1").state());

    node.override = Optional.of(new Inventory.InstanceMissing(false));
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(3, world.provider.count("instanceSync"), "a new episode asks again");
    node.override = Optional.of(new Inventory.InstanceMissing(true));
    for (int i = 0; i < 3; i++) {
      world.manager.resync();
      world.run(Duration.ofMinutes(1));
    }
    assertEquals(3, world.provider.count("instanceSync"), "the cloud itself denied it");
    world.assertSettled("node1");
  }
}
