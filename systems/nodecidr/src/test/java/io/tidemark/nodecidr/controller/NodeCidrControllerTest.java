package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.NodeChange;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A controller of node CIDRs")
class NodeCidrControllerTest {
  @Test
  @DisplayName("NC-AM19 claims what all nodes have before it gives anything to the others")
  void start() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/24,26");
    world.create("a");
    world.pass(1);
    world.create("c");
    world.create("b");
    world.create("z", "10.0.0.0/26");
    assertThat(world.start()).isTrue();
    assertThat(world.cidrsOf("a", "b", "c"))
        .containsExactly("10.0.0.64/26", "10.0.0.128/26", "10.0.0.192/26");
    assertThat(world.in(State.ASSIGNED)).isEqualTo(4);
    assertThat(world.controller.isSettled()).isTrue();
    assertThat(world.events).isEmpty();
  }

  @Test
  @DisplayName("NC-AM19 NC-B12 a CIDR that is not in order is reported and stops nothing")
  void notInOrder() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/24,26 -10.0.0.192/26");
    world.create("double", "10.0.0.0/26");
    world.create("double-too", "10.0.0.0/26");
    world.create("foreign", "192.168.0.0/26");
    world.create("garbage", "10.0.0.x/26");
    world.create("other-family", "fd00::/64");
    world.create("services", "10.0.0.192/26");
    world.create("without");
    assertThat(world.start()).isTrue();
    assertThat(world.stateOf("double")).isEqualTo("CONFLICT CIDR_CONFLICT");
    assertThat(world.stateOf("double-too")).isEqualTo("CONFLICT CIDR_CONFLICT");
    assertThat(world.stateOf("foreign")).isEqualTo("FOREIGN CIDR_FOREIGN");
    assertThat(world.stateOf("garbage")).isEqualTo("FOREIGN CIDR_UNREADABLE");
    assertThat(world.stateOf("other-family")).isEqualTo("FOREIGN FAMILY_OFF CIDR_FOREIGN");
    assertThat(world.stateOf("services")).isEqualTo("CONFLICT CIDR_CONFLICT");
    assertThat(world.cidrsOf("without")).isEqualTo("10.0.0.64/26");
    assertThat(world.events)
        .containsExactlyInAnyOrder(
            "open double CIDR_CONFLICT",
            "open double-too CIDR_CONFLICT",
            "open foreign CIDR_FOREIGN",
            "open garbage CIDR_UNREADABLE",
            "open other-family CIDR_FOREIGN",
            "open other-family FAMILY_OFF",
            "open services CIDR_CONFLICT");
  }

  @Test
  @DisplayName("NC-AM19 a strict start names all that is not in order, and does nothing")
  void strict() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/24,26", true);
    world.create("a", "192.168.0.0/26");
    world.create("b", "10.0.0.x/26");
    world.create("c");
    assertThatThrownBy(world::start)
        .hasMessageMatching(
            ".*TM-1415 .*CIDRs of nodes have problems: node a: TM-1404 .*; node b: TM-1405 .*");
    world.pass(600);
    assertThat(world.cidrsOf("c")).isEmpty();
    assertThat(world.count("ASSIGN c")).isZero();
    assertThat(new ControllerWorld("10.0.0.0/24,26", true).start()).isTrue();
  }

  @Test
  @DisplayName("NC-AM19 the list is repeated until it succeeds, and nothing is done before")
  void list() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/24,26");
    world.create("a");
    world.listsFail = true;
    assertThat(world.start()).isFalse();
    world.pass(30);
    assertThat(world.cidrsOf("a")).isEmpty();
    assertThat(world.controller.isSettled()).isFalse();
    world.listsFail = false;
    world.pass(30);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/26");
  }

  @Test
  @DisplayName("NC-27 NC-28 NC-B3 a node gets a block of each family in their order, or none")
  void families() {
    ControllerWorld world = new ControllerWorld("fd00::/48,50 10.0.0.0/24,25");
    world.start();
    world.serve("a", "b", "c");
    assertThat(world.cidrsOf("a")).isEqualTo("fd00::/50 10.0.0.0/25");
    assertThat(world.cidrsOf("b")).isEqualTo("fd00:0:0:4000::/50 10.0.0.128/25");
    assertThat(world.stateOf("c")).isEqualTo("PARKED CIDR_EXHAUSTED");
    world.pass(3600);
    assertThat(world.cidrsOf("c")).isEmpty();
    world.assertUsed(2, 0, 0);
    assertThat(world.count("ASSIGN c")).isZero();
    assertThat(world.events).containsExactly("open c CIDR_EXHAUSTED");
  }

  @Test
  @DisplayName("NC-L1 NC-L4 NC-B21 only so many requests are in flight, a slow one delays no node")
  void parallel() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/8,24");
    for (int i = 0; i < 100; i++) {
      world.create("n" + i);
    }
    world.fates.add(EffectFate.answered(Duration.ofSeconds(9), Duration.ZERO));
    world.start();
    assertThat(world.inFlightMax).isEqualTo(4);
    assertThat(world.in(State.ASSIGNED)).isEqualTo(99);
    world.pass(10);
    assertThat(world.in(State.ASSIGNED)).isEqualTo(100);
    assertThat(
            world.server.all().stream().flatMap(node -> node.podCidrs().all().stream()).distinct())
        .hasSize(100);
  }

  @Test
  @DisplayName("NC-B22 heartbeats cause no work")
  void heartbeats() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/24,26");
    world.create("a");
    world.start();
    long before = world.time.steps();
    for (int i = 0; i < 50; i++) {
      boolean loud = i % 2 == 0;
      world.server.change("a", node -> node.withNetworkUnavailable(loud));
    }
    world.settle();
    assertThat(world.time.steps() - before).as("one delivery each").isEqualTo(50);
    assertThat(world.count("ASSIGN a")).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-L6 NC-L7 the end waits for requests in flight and begins no other")
  void stop() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/8,24");
    for (int i = 0; i < 9; i++) {
      world.create("n" + i);
    }
    world.fates.add(EffectFate.answered(Duration.ofSeconds(3), Duration.ofSeconds(3)));
    world.fates.add(EffectFate.answerLost(Duration.ofSeconds(1)));
    world.controller.start(CidrTakeOver::clean);
    while (world.inFlight < 4) {
      world.time.step();
    }
    var stopped = world.controller.stop().toCompletableFuture();
    world.pass(5);
    assertThat(stopped).isNotDone();
    world.pass(6);
    assertThat(stopped.join()).isEqualTo(List.of("n1"));
    assertThat(world.server.all().stream().filter(node -> !node.podCidrs().isEmpty())).hasSize(4);
    world.create("later");
    world.pass(60);
    assertThat(world.cidrsOf("later")).isEmpty();
    assertThat(world.controller.stop().toCompletableFuture().join()).isEqualTo(List.of("n1"));
    assertThat(world.controller.start(CidrTakeOver::clean).toCompletableFuture().join()).isTrue();
  }

  @Test
  @DisplayName("NC-L7 a controller that was stopped before its start does nothing")
  void stoppedFirst() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/8,24");
    world.create("a");
    assertThat(world.controller.stop().toCompletableFuture().join()).isEqualTo(List.of());
    assertThat(world.start()).isFalse();
    assertThat(world.requests).isEmpty();
    assertThat(world.controller.report("a")).isEmpty();
  }

  @Test
  @DisplayName("A standby reads and writes nothing; what it has seen is not enough for the start")
  void standBy() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/24,25");
    world.create("a");
    world.create("b");
    world.delay = () -> Duration.ofSeconds(5).toNanos();
    world.controller.standBy();
    world.pass(6);
    assertThat(world.requests).isEmpty();
    world.assignByOther("b", "10.0.0.0/25");
    world.start();
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.128/25");
  }

  @Test
  @DisplayName("NC-11 NC-12 NC-13 NC-AM37 what is measured of nodes, blocks and writes")
  void measured() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/24,26 -10.0.0.192/26");
    world.create("a", "10.0.0.0/26");
    world.create("b", "10.0.0.0/27");
    world.start();
    world.answer("c", new NodeChange.AskedToWait("busy"));
    world.create("c");
    world.pass(2);
    world.create("d");
    world.create("e");
    world.settle();
    world.server.delete("c");
    world.pass(10);
    String range = "10.0.0.0/24";
    TestMeters measured = world.measured;
    assertThat(measured.total(Metric.CIDRSET_TRIES, range)).isPositive();
    assertThat(measured.all(Metric.NODE_CIDR_WRITES))
        .containsEntry("accepted", 2.0)
        .containsEntry("asked_to_wait", 1.0);
    assertThat(measured.value(Metric.NODE_CIDR_ASSIGNMENT)).isEqualTo(2);
    assertThat(measured.all(Metric.NODE_CIDR_NODES))
        .isEqualTo(
            Map.of(
                "assigned", 1.0, "waiting", 0.0, "parked", 1.0, "conflict", 2.0, "foreign", 0.0));
    assertThat(measured.value(Metric.NODE_CIDR_CONFLICTS)).isEqualTo(2);
    assertThat(measured.value(Metric.NODE_CIDR_OLDEST)).isEqualTo(10.5);
    assertThat(measured.all(Metric.NODE_CIDR_BLOCKS))
        .isEqualTo(
            Map.of(
                range + " ipv4 claimed", 2.0,
                range + " ipv4 reserved", 0.0,
                range + " ipv4 cooling", 1.0,
                range + " ipv4 withheld", 0.0,
                range + " ipv4 excluded", 1.0,
                range + " ipv4 free", 0.0));
    assertThat(measured.value(Metric.CIDRSET_USAGE, range)).isEqualTo(1);
    assertThat(measured.value(Metric.CIDRSET_MAX, range)).isEqualTo(4);
    assertThat(measured.value(Metric.NODE_CIDR_FRONTIER, range)).isEqualTo(-1);
    assertThat(measured.value(Metric.CIDRSET_ALLOCATIONS, range)).isEqualTo(4);
    assertThat(measured.value(Metric.CIDRSET_RELEASES, range)).isZero();
    world.pass(61);
    assertThat(measured.value(Metric.CIDRSET_ALLOCATIONS, range)).isEqualTo(5);
    assertThat(measured.value(Metric.CIDRSET_RELEASES, range)).isEqualTo(1);
  }
}
