package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.EniStatus;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Gauges and counters (node-manager 7)")
class ClusterGaugesTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  @Test
  @DisplayName("F-18 D-16 a subnet that vanishes takes its gauge along")
  void vanishedSubnet() {
    NodeWorld world = NodeWorld.idle(plain);
    world.provider.extraPools.put(new PoolId("subnet-x"), new PoolQuota("zone-a", 100, 0));
    world.start();
    world.run(ONE_SECOND);
    assertEquals(100, world.metrics.value(Metric.AVAILABLE_IPS_PER_SUBNET, "subnet-x", "zone-a"));
    world.provider.extraPools.clear();
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(Map.of("global ", 2048.0), world.metrics.all(Metric.AVAILABLE_IPS_PER_SUBNET));
  }

  @Test
  @DisplayName("a subnet that scans find to lose addresses lasts for some days, until it vanishes")
  void daysLeft() {
    PoolId pool = new PoolId("subnet-x");
    NodeWorld world = NodeWorld.idle(plain);
    world.provider.extraPools.put(pool, new PoolQuota("zone-a", 2000, 0));
    world.start();
    for (int hour = 0; hour < 100; hour++) {
      world.provider.extraPools.put(pool, new PoolQuota("zone-a", 2000 - 10 * hour, 0));
      world.run(Duration.ofHours(1));
    }
    assertThat(world.manager.daysLeft()).containsOnlyKeys(pool);
    assertEquals(4.3, world.manager.daysLeft().getOrDefault(pool, 0.0), 0.1);
    world.provider.extraPools.clear();
    world.manager.resync();
    world.run(ONE_SECOND);
    assertThat(world.manager.daysLeft()).isEmpty();
  }

  @Test
  @DisplayName("D-16 sums wait until the watch has listed every node")
  void firstSums() {
    NodeWorld world = NodeWorld.idle(plain);
    world.create("node1", 8, 0);
    world.manager.start();
    world.run(Duration.ofSeconds(5));
    assertEquals(Map.of(), world.metrics.all(Metric.NODES));
    world.watch();
    world.run(Duration.ofSeconds(2));
    assertEquals(1, world.metrics.value(Metric.NODES, "total"));
  }

  @Test
  @DisplayName("D-3 an event of one node, or the read of its instance, touches that node alone")
  void oneNodeAtATime() {
    NodeWorld world = NodeWorld.started(plain);
    for (int i = 0; i < 20; i++) {
      world.create("node" + i, 8, 0);
    }
    world.run(Duration.ofSeconds(2));
    int before = looksAtOthers(world);
    int own = world.provider.node("node7").looks;
    world.use("node7", 5);
    world.run(ONE_SECOND);
    world.manager.requestInstanceSync("node7");
    world.run(ONE_SECOND);
    assertEquals("13/5", world.availableUsed("node7"));
    assertEquals(before, looksAtOthers(world));
    assertThat(world.provider.node("node7").looks).as("looks at it").isGreaterThan(own);
    assertEquals(
        20 * 8 + 5, world.manager.statistics().available() + 5, "sums follow all the same");
    assertEquals(5, world.manager.statistics().used());
  }

  private static int looksAtOthers(NodeWorld world) {
    return world.provider.nodes.entrySet().stream()
        .filter(entry -> !entry.getKey().equals("node7"))
        .mapToInt(entry -> entry.getValue().looks)
        .sum();
  }

  @Test
  @DisplayName("D-3 a scan runs no turn of a node that it has no news for")
  void scanSkipsConverged() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("calm", 8, 0);
    world.create("news", 8, 0);
    world.run(Duration.ofSeconds(2));
    int calm = world.provider.node("calm").looks;
    ScriptedNode node = world.provider.node("news");
    node.attach(node.singles().last(5), List.of());
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("news"), "three were gone and came back");
    assertEquals(calm + 1, world.provider.node("calm").looks, "compared, and left alone");
  }

  @Test
  @DisplayName(
      "F-2 D-3 A scan writes a calm node anew when the networks of its status have changed")
  void networksChanged() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("calm", 8, 0);
    world.run(Duration.ofSeconds(2));
    ScriptedNode node = world.provider.node("calm");
    node.networks = 7;
    world.manager.requestMaintenance("calm");
    world.run(ONE_SECOND);
    world.manager.resync();
    world.run(ONE_SECOND);
    EniStatus status = world.resource("calm").eniStatus().orElseThrow();
    assertThat(status.enis().values()).extracting(EniStatus.Eni::number).containsExactly(7);
    int looks = node.looks;
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(looks + 1, node.looks, "once");
  }

  @DisplayName("F-18 D-16 gauges and counters follow what nodes have, miss and are given")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          F-18 a node's gauges stay gone, whatever still comes back for it \
            | slow 2s; use 4; 1s; unsettled; delete; 30s; metric AVAILABLE_IPS; nodes 0; \
              clusterHas 0
          D-16 interface_candidates and empty_interface_slots are real numbers \
            | slots 3; create p=8; @node2 create p=8; start; 2s; value INTERFACE_CANDIDATES 2; \
              value EMPTY_INTERFACE_SLOTS 3; value AVAILABLE_INTERFACES 5; value CACHE_AGE 0-2
          The oldest deficit is published with its age, and zero when there is none \
            | @first blocked SUBNET_EXHAUSTED; create p=8; start; 10s; \
              @second blocked SUBNET_EXHAUSTED; create p=8; 10s; value OLDEST_DEFICIT 20; \
              value NODES_STUCK TM-1203 2; @first unblocked; maintain; 2s; \
              value OLDEST_DEFICIT 12; @second delete; 2s; value OLDEST_DEFICIT 0; \
              value NODES_STUCK TM-1203 0
          Attempts are counted with their outcome, addresses and interfaces when they came \
            | metric ALLOCATION_DURATION allocateIP success global=1.0; \
              value IP_ALLOCATION_OPS global 8; refuse TRANSIENT; use 1; 500ms; \
              metric ALLOCATION_DURATION allocateIP failed global=1.0, \
              allocateIP success global=1.0; room 0; slots 1; refresh; 5s; \
              metric ALLOCATION_DURATION allocateIP failed global=1.0, \
              allocateIP success global=1.0, \
              createInterfaceAndAllocateIP operationNotSupported global=1.0; \
              metric INTERFACE_CREATION_OPS
          Handshakes given up are counted by reason: no surplus, refused, needed \
            | create p=2; start; 1s; surplus 4; 4s; entries 4; marked 4; use 1; 1s; \
              metric HANDSHAKE_ABORTED not-surplus=1.0; refuses; 500ms; \
              metric HANDSHAKE_ABORTED not-surplus=1.0, refused=3.0; 4s; entries 3; \
              refuse TRANSIENT; use 7; 500ms; \
              metric HANDSHAKE_ABORTED needed=3.0, not-surplus=1.0, refused=3.0; 2s; marked 0
          """)
  void story(String what, String story) {
    NodeStory.run(plain.releasingAfter(Duration.ofSeconds(2)), what, story);
  }
}
