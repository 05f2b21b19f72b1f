package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Two operators on one resource (reliability: leader change, eventual consistency)")
class TwoOperatorsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final AddressSet EIGHT = AddressSet.ofRange(Cidr.parse("10.99.1.0/29"));

  private final NodeWorld world = NodeWorld.filled();

  @Test
  @DisplayName("another's pool stops every change and write, and what follows begins with a read")
  void keepsStill() {
    world.rivalWritesPool("node1");
    world.use("node1", 6);
    world.run(Duration.ofSeconds(29));
    assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
    assertEquals(NodeState.BLOCKED, world.report("node1").state());
    world.assertUnsettled("node1"); // it goes on by itself
    assertEquals(List.of(), world.takeRequests());
    assertEquals(1, world.provider.node("node1").allocated.size());
    long reads = world.provider.count("instanceSync");

    world.run(Duration.ofSeconds(32));
    assertEquals(reads + 1, world.provider.count("instanceSync"));
    assertEquals("14/6", world.availableUsed("node1"));
    assertEquals(NodeState.OK, world.report("node1").state());
    assertEquals(
        world.provider.node("node1").singles(), world.resource("node1").pool().addresses());
  }

  @Test
  @DisplayName("a read that fails is not the one that must come first: nothing happens before one")
  void failedReadDoesNotCount() {
    long before = world.provider.count("instanceSync");
    world.provider.failInstanceSync(Failure.Kind.TRANSIENT);
    CompletableFuture<SyncOutcome> next = world.provider.hangInstanceSync();
    world.rivalWritesPool("node1");
    world.use("node1", 6);
    world.run(Duration.ofSeconds(70));
    assertEquals(before + 2, world.provider.count("instanceSync"), "one failed, one has no answer");
    assertEquals(Optional.of(BlockedReason.READING_BACK), world.blockedReason("node1"));
    assertEquals(List.of(), world.takeRequests());
    assertEquals(1, world.provider.node("node1").allocated.size(), "the first eight alone");

    next.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(ONE_SECOND);
    assertEquals("14/6", world.availableUsed("node1"));
    assertEquals(NodeState.OK, world.report("node1").state());
  }

  @Test
  @DisplayName(
      "a home that knows who it was: explanation, event and metric name it, until it stops")
  void named() {
    world.rivalWritesPool("node1", "other-operator");
    world.run(ONE_SECOND);
    assertEquals(
        "another operator wrote the pool, status or marks;"
            + " the pool was last written by 'other-operator'",
        world.report("node1").blocked().orElseThrow().detail());
    assertThat(world.explain("node1").toText()).contains("TM-1217", "'other-operator'");
    assertEquals(List.of("node1 SECOND_OWNER"), world.told);
    assertEquals(Map.of("node1 other-operator", 1.0), world.metrics.all(Metric.SECOND_OWNER));

    world.rivalWritesPool("node1", "third-operator");
    world.edit("node1", now -> now.withPool(PodIpPool.of(Map.of())));
    world.run(ONE_SECOND);
    assertEquals(Map.of("node1 third-operator", 1.0), world.metrics.all(Metric.SECOND_OWNER));

    world.run(Duration.ofMinutes(2));
    assertEquals(NodeState.OK, world.report("node1").state());
    assertEquals(Map.of(), world.metrics.all(Metric.SECOND_OWNER));
    assertEquals(List.of("node1 SECOND_OWNER", "node1 SECOND_OWNER cleared"), world.told);
  }

  @Test
  @DisplayName("where the home does not record names the metric says unknown")
  void nameless() {
    world.rivalWritesPool("node1");
    world.run(ONE_SECOND);
    assertEquals(Map.of("node1 unknown", 1.0), world.metrics.all(Metric.SECOND_OWNER));
    assertEquals(
        "another operator wrote the pool, status or marks",
        world.report("node1").blocked().orElseThrow().detail());
  }

  @Test
  @DisplayName("the pause moves on with each write of the other, and the next episode is longer")
  void moves() {
    for (int i = 0; i < 10; i++) {
      AddressSet pool = AddressSet.of(IpAddress.parse("10.99.0." + (i + 1)));
      world.edit("node1", now -> now.withPool(PodIpPool.of(Map.of("eni-9", pool))));
      world.run(Duration.ofSeconds(20));
      assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
    }
    world.run(Duration.ofSeconds(42));
    assertEquals(NodeState.OK, world.report("node1").state());
    world.rivalWritesPool("node1");
    world.run(Duration.ofSeconds(59));
    assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
    world.run(Duration.ofSeconds(62));
    assertEquals(NodeState.OK, world.report("node1").state());
  }

  @Test
  @DisplayName("another's mark is left alone while its maker may be giving the address back")
  void foreignMark() {
    IpAddress marked = world.resource("node1").pool().addresses().iterator().next();
    world.agentPuts("node1", marked, HandshakeState.MARKED_FOR_RELEASE);
    world.agentActs("node1");
    world.use("node1", 2);
    world.run(Duration.ofSeconds(29));
    assertEquals(
        Map.of(marked, HandshakeState.READY_FOR_RELEASE),
        new TreeMap<>(world.resource("node1").releaseIps()));
    world.run(Duration.ofSeconds(32));
    assertEquals(Map.of(), new TreeMap<>(world.resource("node1").releaseIps()), "it never was");
  }

  @Test
  @DisplayName("an answer to a mark that was never seen proves that another set the mark")
  void answerToForeignMark() {
    IpAddress marked = world.resource("node1").pool().addresses().iterator().next();
    world.agentPuts("node1", marked, HandshakeState.READY_FOR_RELEASE);
    world.run(ONE_SECOND);
    assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
    assertEquals(
        Map.of(marked, HandshakeState.READY_FOR_RELEASE),
        new TreeMap<>(world.resource("node1").releaseIps()));
  }

  @Test
  @DisplayName(
      "an older pool whose last write is our own was restored from a backup: it is corrected at"
          + " once, and nobody is said to be a second operator")
  void restored() {
    world.ownWriteAt("node1", 1_000);
    world.use("node1", 3);
    world.run(Duration.ofSeconds(20));
    assertEquals("11/3", world.availableUsed("node1"));
    world.ownWriteAt("node1", 900);
    world.rivalWritesPool("node1");
    world.run(ONE_SECOND);
    assertEquals(Optional.empty(), world.blockedReason("node1"));
    assertEquals(List.of(), world.told);
    assertEquals(Map.of(), world.metrics.all(Metric.SECOND_OWNER));
    world.run(Duration.ofSeconds(20));
    assertEquals(
        world.provider.node("node1").singles(), world.resource("node1").pool().addresses());
    assertEquals(NodeState.OK, world.report("node1").state());
  }

  @Test
  @DisplayName("a pool that another wrote is another's, however old our own last write is")
  void notRestored() {
    world.ownWriteAt("node1", 1_000);
    world.use("node1", 3);
    world.run(Duration.ofSeconds(20));
    world.rivalWritesPool("node1", "other-operator");
    world.run(ONE_SECOND);
    assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
  }

  @Test
  @DisplayName("a second operator of our own name is one as before, since its write is newer")
  void sameName() {
    world.ownWriteAt("node1", 1_000);
    world.use("node1", 3);
    world.run(Duration.ofSeconds(20));
    world.ownWriteAt("node1", 1_000);
    world.rivalWritesPool("node1");
    world.run(ONE_SECOND);
    assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
  }

  @Test
  @DisplayName("agents' writes and our own whose answer was lost are nobody else's")
  void notRivals() {
    world.fate = new EffectFate(0, 0, EffectFate.Loss.ANSWER);
    world.use("node1", 3);
    world.run(Duration.ofSeconds(20));
    world.fate = EffectFate.answered(Duration.ZERO, Duration.ZERO);
    world.run(Duration.ofSeconds(40));
    assertEquals(NodeState.OK, world.report("node1").state());
    assertEquals(
        world.provider.node("node1").singles(), world.resource("node1").pool().addresses());
    assertEquals(11, world.resource("node1").pool().size());
  }

  private static NodeWorld withHorizon(NodeResource before, AddressSet shownFirst) {
    NodeWorld world = NodeWorld.idle(EngineConfig.defaults());
    world.provider.readHorizon = Duration.ofSeconds(60);
    world.create(before);
    world.provider.prepared("node1").attach(shownFirst, List.of());
    world.start();
    world.run(ONE_SECOND);
    return world;
  }

  @Test
  @DisplayName("what an old read may have shown at the start is offered after a later one")
  void oldRead() {
    NodeResource before =
        Samples.node("node1", 8, 0, 0)
            .withPool(PodIpPool.of(Map.of("eni-node1", NodeWorld.FOREIGN)));
    NodeWorld world = withHorizon(before, EIGHT);
    assertEquals(0, world.resource("node1").pool().size());
    world.assertUnsettled("node1");
    ScriptedNode node = world.provider.node("node1");
    AddressSet still = node.singles().first(5);
    node.attach(still, List.of());
    world.run(Duration.ofSeconds(62));
    assertEquals(8, world.resource("node1").pool().size());
    assertThat(world.resource("node1").pool().addresses()).containsAll(still);
    world.assertSettled("node1");
  }

  @Test
  @DisplayName(
      "an instance born with addresses is offered at once: nobody can have taken them back")
  void bornWithAddresses() {
    NodeWorld world = withHorizon(Samples.node("node1", 8, 0, 0), EIGHT);
    assertEquals(8, world.resource("node1").pool().size());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("soon after the start a later read may be older; what we added ourselves is offered")
  void laterButOlderRead() {
    NodeWorld world =
        withHorizon(
            Samples.node("node1", 8, 0, 0)
                .withPool(PodIpPool.of(Map.of("eni-node1", NodeWorld.FOREIGN))),
            NodeWorld.FOREIGN);
    ScriptedNode node = world.provider.node("node1");
    AddressSet offered = node.singles();
    assertEquals(8, offered.size(), "up to the watermark");
    assertEquals(offered, world.resource("node1").pool().addresses());

    node.attach(offered.plus(IpAddress.parse("10.99.0.7")), List.of());
    world.manager.resync();
    world.run(Duration.ofSeconds(50));
    assertEquals(offered, world.resource("node1").pool().addresses());
    node.attach(offered, List.of());
    world.run(Duration.ofSeconds(20));
    assertEquals(offered, world.resource("node1").pool().addresses());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("what a predecessor called released, and what a read did not show, waits as well")
  void releasedByPredecessor() {
    AddressSet gone = AddressSet.of(IpAddress.parse("10.99.0.8"));
    NodeWorld world =
        withHorizon(
            Samples.node("node1", 8, 0, 0)
                .withPool(PodIpPool.of(Map.of("eni-node1", NodeWorld.FOREIGN.plus(gone))))
                .withReleaseIps(Map.of(gone.at(0), HandshakeState.RELEASED)),
            gone);
    ScriptedNode node = world.provider.node("node1");
    AddressSet ours = node.singles().minus(gone);
    assertEquals(7, ours.size());
    assertEquals(ours, world.resource("node1").pool().addresses());
    node.attach(node.singles().plus(NodeWorld.FOREIGN), List.of());
    world.manager.resync();
    world.run(Duration.ofSeconds(30));
    assertEquals(ours, world.resource("node1").pool().addresses());
    world.run(Duration.ofSeconds(40));
    assertEquals(node.singles(), world.resource("node1").pool().addresses());
  }
}
