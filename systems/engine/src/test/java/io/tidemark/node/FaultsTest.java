package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.LogLines;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Faults (node-manager 10.6)")
class FaultsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  private final NodeWorld world = with("node1");
  private final ScriptedNode node = world.provider.node("node1");

  private static NodeWorld with(String... names) {
    NodeWorld world = NodeWorld.started(EngineConfig.defaults());
    for (String name : names) {
      world.create(name, 8, 0);
    }
    world.run(ONE_SECOND);
    return world;
  }

  private static BlockedReason reason(NodeWorld world, String name) {
    return world.report(name).blocked().orElseThrow().reason();
  }

  @Test
  @DisplayName("F-5 a recovered API serves the deficit without any event of the node")
  void recovery() {
    NodeWorld world = NodeWorld.idle(plain);
    world.provider.failResync(Failure.Kind.TRANSIENT);
    world.create("node1", 8, 0);
    world.start();
    world.run(Duration.ofMillis(500));
    assertFalse(world.manager.instancesApiIsReady(), "the first scan failed");
    assertEquals("0/0", world.availableUsed("node1"));
    assertEquals(BlockedReason.INSTANCES_API_UNSTABLE, reason(world, "node1"));
    world.assertUnsettled("node1"); // the next scan is due
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("node1"));
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("F-6 a node not running is left alone for its grace, then tried once more")
  void notRunning() {
    node.nextAllocation(() -> new AllocationOutcome.InstanceNotRunning());
    world.use("node1", 4);
    world.run(Duration.ofSeconds(59));
    assertEquals(2, node.allocated.size(), "the first eight, and the one that was refused");
    assertEquals(NodeState.NOT_RUNNING, world.report("node1").state());
    assertEquals(BlockedReason.INSTANCE_NOT_RUNNING, reason(world, "node1"));
    world.assertSettled("node1"); // the next step is somebody else's
    world.run(Duration.ofSeconds(3));
    assertEquals(3, node.allocated.size());
    assertEquals("12/4", world.availableUsed("node1"));
    assertEquals(
        Set.of("allocateIP success global"),
        world.metrics.all(Metric.ALLOCATION_DURATION).keySet(),
        "no failure");
  }

  @Test
  @DisplayName("F-6 a sign of life ends the grace at once")
  void signOfLife() {
    node.nextAllocation(() -> new AllocationOutcome.InstanceNotRunning());
    world.use("node1", 4);
    world.run(ONE_SECOND);
    world.use("node1", 5);
    world.run(ONE_SECOND);
    assertEquals("13/5", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("F-7 D-11 after a pass with nothing to do the next one starts at once")
  void noOpPass() {
    world.manager.requestMaintenance("node1");
    world.run(Duration.ofMillis(20));
    long scans = world.provider.count("resync");
    world.use("node1", 8);
    world.run(Duration.ofMillis(50));
    assertEquals("16/8", world.availableUsed("node1"));
    assertEquals(scans, world.provider.count("resync"));
  }

  @Test
  @DisplayName("F-8 D-2 a lost answer forbids decisions until this instance was read later")
  void freshness() {
    NodeWorld world = with("a", "b");
    ScriptedNode node = world.provider.node("a");
    node.nextAllocation(() -> node.lost(() -> node.attachSilently(4)));
    CompletableFuture<SyncOutcome> readOfA = world.provider.hangInstanceSync();
    long beforeTheLoss = world.provider.generation();
    world.use("a", 4);
    world.run(ONE_SECOND);
    assertEquals(BlockedReason.READING_BACK, reason(world, "a"));
    assertEquals(2, node.allocated.size());

    world.manager.requestInstanceSync("b");
    world.run(ONE_SECOND);
    world.use("a", 5);
    world.run(ONE_SECOND);
    assertEquals(2, node.allocated.size(), "the read of another node proves nothing");

    world.provider.resyncs.add(
        () -> CompletableFuture.completedStage(new SyncOutcome.Synced(beforeTheLoss)));
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(2, node.allocated.size(), "nor does a scan that began before the loss");

    node.refresh();
    readOfA.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(ONE_SECOND);
    assertEquals("13/5", world.availableUsed("a"), "four had come; only the rest was asked for");
    assertEquals(1, node.allocated.get(2).ipv4().wanted());
  }

  @Test
  @DisplayName("F-8 once it was read, a node that misses nothing stands well without another pass")
  void nothingMissingAfterReadingBack() {
    NodeWorld world = with("a");
    ScriptedNode node = world.provider.node("a");
    node.nextAllocation(() -> node.lost(() -> node.attachSilently(4)));
    CompletableFuture<SyncOutcome> read = world.provider.hangInstanceSync();
    world.use("a", 4);
    world.run(ONE_SECOND);
    assertEquals(BlockedReason.READING_BACK, reason(world, "a"));
    world.manager.requestMaintenance("a");
    world.run(ONE_SECOND);

    node.refresh();
    read.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(ONE_SECOND);
    assertEquals("12/4", world.availableUsed("a"));
    assertEquals(NodeState.OK, world.report("a").state());
    assertEquals(Optional.empty(), world.report("a").blocked());
  }

  @Test
  @DisplayName("D-20 a shortage that pods end is no reason any more")
  void shortageEnds() {
    node.room = 0;
    world.use("node1", 4);
    world.run(ONE_SECOND);
    assertEquals(BlockedReason.OUT_OF_INTERFACES, reason(world, "node1"));
    world.use("node1", 0);
    world.run(ONE_SECOND);
    assertEquals(NodeState.OK, world.report("node1").state());
  }

  @Test
  @DisplayName("F-9 D-8 a throttle creates no interface and backs off")
  void throttled() {
    node.slots = 3;
    node.refuseAllocation(Failure.Kind.THROTTLED);
    world.use("node1", 4);
    world.run(Duration.ofMillis(500));
    assertEquals(2, node.allocated.size());
    assertEquals(0, node.created.size());
    assertEquals(BlockedReason.BACKING_OFF, reason(world, "node1"));
    assertThat(world.report("node1").blocked().orElseThrow().detail())
        .startsWith("TM-2001 CALL_THROTTLED ");
    assertEquals(NodeState.FILLING, world.report("node1").state());
    world.assertUnsettled("node1");
    world.run(Duration.ofSeconds(3));
    assertEquals(0, node.created.size());
    assertEquals("12/4", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("D-8 the cloud's own hint how long to wait is heeded")
  void retryAfter() {
    node.nextAllocation(
        () ->
            new AllocationOutcome.Refused(
                new Failure(
                    Failure.Kind.THROTTLED,
                    "throttled",
                    "slow down",
                    Optional.of(Duration.ofSeconds(40)))));
    world.use("node1", 4);
    world.run(Duration.ofSeconds(39));
    assertEquals(2, node.allocated.size());
    world.run(Duration.ofSeconds(2));
    assertEquals(3, node.allocated.size());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Failure.Kind.class)
  @DisplayName("D-8 each kind of failure has its own reaction")
  void reactions(Failure.Kind kind) {
    node.refuseAllocation(kind);
    CompletableFuture<SyncOutcome> read = world.provider.hangInstanceSync();
    world.use("node1", 4);
    world.run(Duration.ofMillis(300));
    boolean readsBack = world.provider.count("instanceSync") == 1;
    String reaction =
        world.report("node1").state()
            + (world.report("node1").blocked().isPresent() ? " " + reason(world, "node1") : "")
            + (readsBack ? " reads" : "");
    String expected =
        switch (kind) {
          case THROTTLED, TRANSIENT -> "FILLING BACKING_OFF";
          case CAPACITY, CANCELLED -> "OK";
          case CONFLICT, NOT_FOUND, LOST -> "FILLING READING_BACK reads";
          case NOT_RUNNING -> "NOT_RUNNING INSTANCE_NOT_RUNNING";
          case CONFIGURATION -> "BLOCKED CLOUD_REFUSED";
        };
    assertEquals(expected, reaction);
    read.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(Duration.ofMinutes(6));
    assertEquals("12/4", world.availableUsed("node1"), "every kind ends well in the end");
  }

  @Test
  @DisplayName(
      "D-8 D-2 a limit that the cloud knows better than we: read back before anything else")
  void limitReached() {
    node.nextAllocation(() -> new AllocationOutcome.LimitReached("addresses per interface"));
    CompletableFuture<SyncOutcome> read = world.provider.hangInstanceSync();
    world.use("node1", 4);
    world.run(ONE_SECOND);
    assertEquals(BlockedReason.READING_BACK, reason(world, "node1"));
    read.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(Duration.ofMinutes(1));
    assertEquals("12/4", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("D-8 no room where it was asked for: planned again elsewhere, then backs off")
  void noRoom() {
    for (int i = 0; i < 10; i++) {
      node.nextAllocation(() -> new AllocationOutcome.PoolExhausted(ScriptedProvider.GLOBAL));
    }
    world.use("node1", 4);
    world.run(Duration.ofMillis(400));
    assertEquals(1 + 4, node.allocated.size(), "a provider that plans the same again is slowed");
    assertEquals(BlockedReason.BACKING_OFF, reason(world, "node1"));
  }

  @Test
  @DisplayName("D-14 back-off grows with failures and is forgotten after a success")
  void backoffResets() {
    for (int i = 0; i < 6; i++) {
      node.refuseAllocation(Failure.Kind.TRANSIENT);
    }
    world.use("node1", 4);
    world.run(Duration.ofSeconds(130));
    assertEquals("12/4", world.availableUsed("node1"), "6 pauses of 2, 4, 8, 16, 32, 64 s at most");
    int before = node.allocated.size();
    node.refuseAllocation(Failure.Kind.TRANSIENT);
    world.use("node1", 5);
    world.run(Duration.ofMillis(2_100));
    assertEquals(before + 2, node.allocated.size(), "the first pause again, at most 1.4 s");
    assertEquals("13/5", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("F-11 NM-L6 D-14 deleted during a pause: nothing follows, nothing is left waiting")
  void deletedDuringPause() {
    node.refuseAllocation(Failure.Kind.TRANSIENT);
    world.use("node1", 4);
    world.run(Duration.ofMillis(300));
    assertEquals(BlockedReason.BACKING_OFF, reason(world, "node1"));
    int waiting = world.time.pending();
    world.server.delete("node1");
    world.run(Duration.ofMillis(100));
    assertNotEquals(waiting, world.time.pending(), "the pause was cancelled");
    world.run(Duration.ofMinutes(10));
    assertEquals(2, node.allocated.size());
    assertEquals(1, world.provider.count("deleteInstance i-node1"));
  }

  @Test
  @DisplayName(
      "F-11 NM-L6 deleted while a call is on the wire: cancelled, and its end changes nothing")
  void deletedDuringCall() {
    CompletableFuture<AllocationOutcome> call = node.hangAllocation();
    world.use("node1", 4);
    world.run(Duration.ofMillis(100));
    assertEquals(2, node.allocated.size());
    world.takeRequests();
    world.server.delete("node1");
    world.run(Duration.ofMillis(100));
    assertTrue(node.lastContext().isCancelled(), "the provider may stop and compensate");
    assertEquals(0, world.provider.count("deleteInstance"), "the provider may still need it");
    assertEquals(Optional.empty(), world.manager.report("node1"));
    call.complete(node.grow(node.allocated.get(1).ipv4()));
    world.run(Duration.ofMinutes(10));
    assertEquals(1, world.provider.count("deleteInstance i-node1"));
    assertEquals(2, node.allocated.size());
    assertEquals(0, node.released.size());
    assertEquals(List.of(), world.takeRequests(), "nothing is written for a node that is gone");
  }

  @Test
  @DisplayName("F-11 deleted while it waits for a token: the place in the queue is given up")
  void deletedWhileWaiting() {
    world.provider.calls.hold();
    world.use("node1", 4);
    world.run(Duration.ofMillis(100));
    assertEquals(1, world.provider.calls.waiters().size());
    world.server.delete("node1");
    world.run(Duration.ofMillis(100));
    assertEquals(List.of(), world.provider.calls.waiters());
    assertEquals(1, world.provider.count("deleteInstance i-node1"));
    assertEquals(1, world.provider.node("node1").allocated.size());
  }

  @Test
  @DisplayName("F-11 a node that comes back waits until its past life is quiet")
  void comesBack() {
    CompletableFuture<AllocationOutcome> call = node.hangAllocation();
    world.use("node1", 4);
    world.run(Duration.ofMillis(100));
    NodeResource again = world.resource("node1");
    world.server.delete("node1");
    world.run(Duration.ofMillis(100));
    world.create(again);
    world.run(ONE_SECOND);
    assertEquals(2, node.allocated.size(), "one change at a time, across lives");
    call.complete(node.grow(node.allocated.get(1).ipv4()));
    world.run(ONE_SECOND);
    assertEquals("12/4", world.availableUsed("node1"));
    assertEquals(2, node.allocated.size());
  }

  @Test
  @DisplayName(
      "F-12 another instance under the same name: the old one is dropped, the new one read")
  void anotherInstance() {
    world.provider.node("node1").override =
        Optional.of(new io.tidemark.spi.Inventory.InstanceMissing(false));
    world.provider.log.clear();
    world.edit("node1", resource -> resource.withInstanceId("i-new"));
    world.run(ONE_SECOND);
    assertEquals(
        List.of("deleteInstance i-node1", "createNode node1 i-new", "instanceSync i-new"),
        world.provider.log);
  }

  @Test
  @DisplayName(
      "F-12 a write that is under way when the instance changes is not made on the new one")
  void anotherInstanceDuringWrite() {
    boolean[] replaced = {false};
    world.interfere(
        (operation, name) -> {
          if (operation == InMemoryNodeResourceStore.Operation.UPDATE && !replaced[0]) {
            replaced[0] = true;
            world.provider.node("node1").override =
                Optional.of(new io.tidemark.spi.Inventory.InstanceMissing(false));
            world.edit("node1", resource -> resource.withInstanceId("i-new"));
          }
          return Optional.empty();
        });
    world.use("node1", 4);
    world.run(ONE_SECOND);
    assertTrue(replaced[0], "no update came, so the instance never changed during one");
    assertEquals(8, world.resource("node1").pool().size());
  }

  @Test
  @DisplayName(
      "F-13 a node without instance id is incomplete and costs nothing until the id arrives")
  void noInstanceId() {
    NodeWorld world = NodeWorld.started(plain);
    long scans = world.provider.count("resync");
    world.create(Samples.node("node1").preAllocate(8).build());
    world.run(Duration.ofSeconds(30));
    assertEquals(NodeState.INCOMPLETE, world.report("node1").state());
    assertEquals(BlockedReason.NO_INSTANCE_ID, reason(world, "node1"));
    world.assertSettled("node1");
    assertEquals(scans, world.provider.count("resync"));
    assertEquals(0, world.provider.count("instanceSync"));
    assertEquals(0, world.provider.count("createNode"));
    assertEquals(List.of(), world.takeRequests());
    world.edit("node1", resource -> resource.withInstanceId("i-1"));
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("F-14 a failing or hanging node delays no other")
  void isolation() {
    NodeWorld world = with("bad", "worse", "good");
    ScriptedNode bad = world.provider.node("bad");
    bad.nextAllocation(() -> bad.lost(() -> {}));
    CompletableFuture<SyncOutcome> never = world.provider.hangInstanceSync();
    CompletableFuture<AllocationOutcome> neverEither =
        world.provider.node("worse").hangAllocation();
    world.use("bad", 4);
    world.use("worse", 4);
    world.run(ONE_SECOND);
    world.use("good", 4);
    world.run(Duration.ofMillis(30));
    assertEquals("12/4", world.availableUsed("good"));
    assertTrue(world.manager.instancesApiIsReady(), "one node never stops the others");
    assertThat(List.of(never, neverEither))
        .as("calls that hang")
        .noneMatch(CompletableFuture::isDone);
  }

  @Test
  @DisplayName("F-16 no slot left, or fewer than none: no call, one warning per hour")
  void noSlots() {
    try (LogLines log = new LogLines(NodeBackoff.class)) {
      node.room = 0;
      node.slots = -1;
      node.refresh();
      world.use("node1", 4);
      world.run(ONE_SECOND);
      assertEquals(BlockedReason.OUT_OF_INTERFACES, reason(world, "node1"));
      assertEquals(NodeState.BLOCKED, world.report("node1").state());
      world.assertSettled("node1");
      for (int i = 0; i < 59; i++) {
        world.manager.requestMaintenance("node1");
        world.run(Duration.ofMinutes(1));
      }
      assertEquals(0, node.created.size());
      assertEquals(1, log.warnings().size(), () -> log.warnings().toString());
      world.run(Duration.ofMinutes(2));
      world.manager.requestMaintenance("node1");
      world.run(ONE_SECOND);
      assertEquals(2, log.warnings().size());
      assertEquals("8/4", world.availableUsed("node1"));
    }
  }

  @Test
  @DisplayName("A token for a plan that changed goes back in the same turn")
  void tokenGoesBack() {
    world.provider.calls.hold();
    world.use("node1", 4);
    world.run(Duration.ofMillis(100));
    world.use("node1", 0);
    world.run(Duration.ofMillis(100));
    world.provider.calls.grantAll();
    world.run(Duration.ofMillis(100));
    assertEquals(1, world.provider.calls.givenBack());
    assertEquals(1, world.provider.node("node1").allocated.size());
  }
}
