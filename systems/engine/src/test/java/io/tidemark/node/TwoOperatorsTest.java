package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Two operators on one resource (reliability: leader change, eventual consistency)")
class TwoOperatorsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final AddressSet EIGHT = AddressSet.ofRange(Cidr.parse("10.99.1.0/29"));

  private final NodeWorld world = NodeWorld.filled();

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

  @DisplayName("of two operators the one whose write comes last goes on, and each is known")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a pool of another stops every change and write, and what follows begins with a read \
            | rival; use 6; 29s; stands BLOCKED SECOND_OWNER false; requests; asked 1; reads 0; \
              32s; reads 1; is 14/6; state OK; inStep
          a read that fails is not the one that must come first: nothing happens before one \
            | noRead TRANSIENT; readHangs; rival; use 6; 70s; reads 2; why READING_BACK; \
              requests; asked 1; readEnds; 1s; is 14/6; state OK
          where the home does not record names the metric says unknown \
            | rival; 1s; owner unknown; because another operator wrote the pool, status or marks
          a mark of another is left alone while its maker may be giving the address back \
            | puts marked-for-release; acts; use 2; 29s; entries 1; marks ready-for-release; 32s; \
              marks
          an answer to a mark that was never seen proves that another set the mark \
            | puts ready-for-release; 1s; why SECOND_OWNER; entries 1; marks ready-for-release
          an older pool whose last write is our own was restored: it is corrected at once, and no rival told \
            | ownWrite 1000; use 3; 20s; is 11/3; ownWrite 900; rival; 1s; why none; told; \
              owner none; 20s; inStep; state OK
          a pool that another wrote is of another, however old our own last write is \
            | ownWrite 1000; use 3; 20s; rival other-operator; 1s; why SECOND_OWNER
          a second operator of our own name is one as before, since its write is newer \
            | ownWrite 1000; use 3; 20s; ownWrite 1000; rival; 1s; why SECOND_OWNER
          writes of agents and our own whose answer was lost are of no other operator \
            | losesAnswers; use 3; 20s; slow 0s; 40s; state OK; inStep; pool 11
          """)
  void story(String what, String story) {
    NodeStory.run(world, what, story);
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
