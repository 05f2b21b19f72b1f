package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How a node stands, and whether the next step is somebody else's")
class StandingTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  private NodeWorld settled(EngineConfig config) {
    NodeWorld world = NodeWorld.filled(config);
    assertEquals("OK true", standing(world));
    world.takeRequests();
    return world;
  }

  private static String standing(NodeWorld world) {
    NodeReport report = world.report("node1");
    return report.state()
        + report.blocked().map(why -> " " + why.reason()).orElse("")
        + " "
        + report.settled();
  }

  @Test
  @DisplayName("Waiting for a token, for the cloud, for the API server: not settled")
  void underWay() {
    NodeWorld world = settled(plain);
    world.provider.calls.hold();
    world.use("node1", 2);
    world.run(ONE_SECOND);
    assertEquals("FILLING false", standing(world));
    CompletableFuture<AllocationOutcome> call = world.provider.node("node1").hangAllocation();
    world.provider.calls.grantAll();
    world.run(ONE_SECOND);
    assertEquals("FILLING false", standing(world));
    world.fate = EffectFate.answered(ONE_SECOND, ONE_SECOND);
    ScriptedNode node = world.provider.node("node1");
    call.complete(node.grow(node.allocated.get(1).ipv4()));
    world.run(ONE_SECOND);
    assertEquals("FILLING false", standing(world), "the write is under way");
    world.run(Duration.ofSeconds(10));
    assertEquals("OK true", standing(world));
    assertEquals(10, world.resource("node1").pool().size());
  }

  @Test
  @DisplayName("The release delay is due, the agent's answer is not ours")
  void releasing() {
    NodeWorld world = settled(plain.releasingAfter(Duration.ofSeconds(30)));
    world.use("node1", 4);
    world.run(ONE_SECOND);
    world.use("node1", 0);
    world.run(Duration.ofSeconds(29));
    assertEquals("RELEASING false", standing(world));
    world.run(Duration.ofSeconds(2));
    assertEquals("RELEASING true", standing(world), "marked: the agent is to answer");
    world.agentAnswers("node1", HandshakeState.READY_FOR_RELEASE);
    world.run(ONE_SECOND);
    assertEquals("RELEASING true", standing(world), "released: the agent is to clean up");
    world.agentCleansUp("node1");
    world.run(ONE_SECOND);
    assertEquals("OK true", standing(world));
  }

  @Test
  @DisplayName("Surplus without release is no reason to wait")
  void surplusKept() {
    NodeWorld world = settled(plain);
    world.use("node1", 4);
    world.run(ONE_SECOND);
    world.use("node1", 0);
    world.run(ONE_SECOND);
    assertEquals("OK true", standing(world));
    assertEquals(4, world.report("node1").excess());
  }

  @Test
  @DisplayName("Backing off is ours, a refusal that a person must mend is not")
  void failures() {
    NodeWorld world = settled(plain);
    world.provider.node("node1").refuseAllocation(Failure.Kind.TRANSIENT);
    world.use("node1", 1);
    world.run(Duration.ofMillis(300));
    assertEquals("FILLING BACKING_OFF false", standing(world));
    world.run(Duration.ofSeconds(3));
    assertEquals("OK true", standing(world));
    world.provider.node("node1").refuseAllocation(Failure.Kind.CONFIGURATION);
    world.use("node1", 2);
    world.run(ONE_SECOND);
    assertEquals("BLOCKED CLOUD_REFUSED true", standing(world));
    world.run(Duration.ofMinutes(5));
    assertEquals("OK true", standing(world), "tried again all the same");
  }

  @Test
  @DisplayName("A lost answer is ours until it was read back")
  void readingBack() {
    NodeWorld world = settled(plain);
    ScriptedNode node = world.provider.node("node1");
    node.nextAllocation(() -> node.lost(() -> {}));
    CompletableFuture<io.tidemark.spi.SyncOutcome> read = world.provider.hangInstanceSync();
    world.use("node1", 1);
    world.run(Duration.ofSeconds(10));
    assertEquals("FILLING READING_BACK false", standing(world));
    read.complete(new io.tidemark.spi.SyncOutcome.Synced(world.provider.generation()));
    world.run(Duration.ofSeconds(3));
    assertEquals("OK true", standing(world));
  }

  @Test
  @DisplayName("A stopped instance is somebody's to start, an unwritten resource still ours")
  void stopped() {
    NodeWorld world = settled(plain);
    ScriptedNode node = world.provider.node("node1");
    for (int i = 0; i < 3; i++) {
      node.nextAllocation(() -> new AllocationOutcome.InstanceNotRunning());
    }
    world.use("node1", 1);
    world.run(ONE_SECOND);
    assertEquals("NOT_RUNNING INSTANCE_NOT_RUNNING true", standing(world));
    world.interfere((operation, name) -> Optional.of(new StoreResult.Failed("no route")));
    node.attach(node.singles().last(5), List.of());
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(
        "NOT_RUNNING INSTANCE_NOT_RUNNING false", standing(world), "the pool is unwritten");
  }

  @Test
  @DisplayName(
      "A missing instance keeps its numbers and its place; gone for certain is settled (D-10)")
  void missing() {
    NodeWorld world = settled(plain);
    ScriptedNode node = world.provider.node("node1");
    node.refuseAllocation(Failure.Kind.TRANSIENT);
    world.use("node1", 3);
    world.run(Duration.ofMillis(100));
    node.override = Optional.of(new Inventory.InstanceMissing(true));
    world.run(Duration.ofSeconds(10));
    assertEquals("BLOCKED INSTANCE_MISSING true", standing(world));
    assertEquals("8/3", world.availableUsed("node1"));
    assertEquals(3, world.report("node1").needed(), "the need is kept, not forgotten");
    assertEquals(1, world.metrics.value(Metric.NODES_STUCK, "TM-1210"));
    node.override = Optional.empty();
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals("OK true", standing(world));
    assertEquals("11/3", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("Unknown limits block the node and say the type")
  void limitsUnknown() {
    NodeWorld world = settled(plain);
    world.provider.node("node1").override = Optional.of(new Inventory.LimitsUnknown("x9.tiny"));
    world.use("node1", 3);
    world.run(ONE_SECOND);
    assertEquals("BLOCKED LIMITS_UNKNOWN true", standing(world));
    assertThat(world.report("node1").blocked().orElseThrow().detail()).contains("x9.tiny");
  }

  @Test
  @DisplayName(
      "A node of another cloud is never changed and never written, until that is mended (N12)")
  void untouchable() {
    NodeWorld world = NodeWorld.started(plain);
    ScriptedNode node = world.provider.prepared("node1");
    Blocked why = new Blocked(BlockedReason.OTHER_CLOUD, "status.azure");
    node.override = Optional.of(new Inventory.Untouchable(why));
    world.create("node1", 8, 0);
    for (int i = 0; i < 5; i++) {
      world.run(Duration.ofMinutes(1));
      world.use("node1", i);
      world.manager.requestMaintenance("node1");
      world.manager.requestInstanceSync("node1");
      world.run(ONE_SECOND);
    }
    assertEquals("BLOCKED OTHER_CLOUD true", standing(world));
    assertEquals(List.of(), world.takeRequests());
    assertEquals(0, node.allocated.size() + node.created.size());
    assertEquals(0, world.provider.count("instanceSync"));
    node.override = Optional.empty();
    world.use("node1", 0);
    world.run(ONE_SECOND);
    assertEquals("OK true", standing(world));
    assertEquals(8, world.resource("node1").pool().size());
  }

  @Test
  @DisplayName("An unreadable version is reported; the last readable one stays in force")
  void invalid() {
    NodeWorld world = settled(plain);
    world.manager.refused(
        "node1",
        List.of(
            new ResourceProblem(
                "n.yaml:7", "spec.ipam.pre-allocate", "'many' is not a number", "")));
    assertEquals("INVALID INVALID_RESOURCE true", standing(world));
    assertEquals(
        "n.yaml:7 spec.ipam.pre-allocate: 'many' is not a number",
        world.report("node1").blocked().orElseThrow().detail());
    ScriptedNode node = world.provider.node("node1");
    node.attach(node.singles().last(5), List.of());
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("node1"), "it is still served");
    world.use("node1", 1);
    world.run(ONE_SECOND);
    assertEquals("OK true", standing(world));
  }

  @Test
  @DisplayName("Nothing of a manager that was closed starts any more, whatever is still queued")
  void closed() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node1", 8, 0);
    world.manager.upsert(world.resource("node1"));
    world.manager.close();
    world.manager.close();
    world.run(Duration.ofMinutes(5));
    assertEquals(0, world.provider.nodes.values().stream().mapToInt(n -> n.allocated.size()).sum());
    assertEquals(List.of(), world.takeRequests());
    assertEquals(0, world.time.pending(), "no timer is left");
  }

  @Test
  @DisplayName("A write that keeps failing is tried again with growing pauses, at most 45 s")
  void failingWrites() {
    NodeWorld world = settled(plain);
    world.interfere(
        (operation, name) ->
            operation == Operation.GET
                ? Optional.empty()
                : Optional.of(new StoreResult.Failed("no route")));
    world.use("node1", 1);
    world.run(Duration.ofMinutes(5));
    long tries = world.takeRequests().stream().filter(each -> each.startsWith("GET")).count();
    assertThat(tries).as("tries in five minutes").isBetween(8L, 25L);
    world.answerAsUsual();
    world.run(Duration.ofSeconds(46));
    assertEquals(9, world.resource("node1").pool().size());
    assertEquals("OK true", standing(world));
  }
}
