package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.InMemoryClusterNodes.Snapshot;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The release of the CIDRs of nodes that are gone")
class ReleaseTest {
  private ControllerWorld world = new ControllerWorld("10.0.0.0/25,26");

  @Test
  @DisplayName("NC-AM17 NC-AM22 a block is free after cooldown and read, and serves who waits")
  void release() {
    world.start();
    world.serve("a", "b", "c", "d");
    assertThat(world.stateOf("c")).isEqualTo("PARKED CIDR_EXHAUSTED");
    world.server.delete("a");
    world.pass(59);
    world.assertUsed(1, 0, 1);
    assertThat(world.count("GET a")).isZero();
    assertThat(world.cidrsOf("c")).isEmpty();
    world.pass(2);
    assertThat(world.count("GET a")).isEqualTo(1);
    assertThat(world.cidrsOf("c")).as("it waited longest").isEqualTo("10.0.0.0/26");
    assertThat(world.cidrsOf("d")).isEmpty();
    assertThat(world.events)
        .containsExactly(
            "open c CIDR_EXHAUSTED", "open d CIDR_EXHAUSTED", "solved c CIDR_EXHAUSTED");
    world.server.delete("b");
    world.serve("e");
    assertThat(world.stateOf("e")).isEqualTo("PARKED CIDR_WITHHELD");
    world.pass(61);
    assertThat(world.cidrsOf("d")).isEqualTo("10.0.0.64/26");
    world.assertUsed(2, 0, 0);
  }

  @Test
  @DisplayName("NC-AM17 while the read fails, the block stays taken; the read is repeated")
  void unreadable() {
    world.start();
    world.serve("a");
    world.server.delete("a");
    world.readsFail = true;
    world.pass(100);
    world.assertUsed(0, 0, 1);
    assertThat(world.count("GET a")).isGreaterThan(3);
    world.readsFail = false;
    world.pass(16);
    world.assertUsed(0, 0, 0);
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName(
      "NC-AM17 NC-B27 a live node that a list lacks keeps its block, and a read makes it known")
  void staleList() {
    Snapshot before = world.server.snapshot();
    world.start();
    world.serve("a", "b");
    world.server.relist(before);
    world.settle();
    world.assertUsed(0, 0, 2);
    assertThat(world.controller.report("a")).isEmpty();
    world.serve("c");
    assertThat(world.cidrsOf("c")).isEmpty();
    world.pass(3600);
    assertThat(world.cidrsOf("c")).isEmpty();
    assertThat(world.stateOf("a", "b")).containsExactly("ASSIGNED", "ASSIGNED");
    world.assertUsed(2, 0, 0);
  }

  @Test
  @DisplayName("NC-AM17 a node of the same name is another owner: it gets another block")
  void again() {
    world.start();
    world.serve("a");
    world.server.delete("a");
    world.serve("a");
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    world.assertUsed(1, 0, 1);
    world.pass(61);
    world.assertUsed(1, 0, 0);
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("NC-AM20 NC-L5 NC-B20 a write for a node that is gone reaches no other of its name")
  void lateWrite() {
    world.start();
    world.fates.add(EffectFate.answered(Duration.ofSeconds(5), Duration.ZERO));
    world.create("a");
    world.pass(2);
    world.server.delete("a");
    world.serve("a");
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    world.pass(4);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    world.assertUsed(1, 0, 0);
  }

  @Test
  @DisplayName("NC-B6 NC-B7 the CIDR of two nodes is reported until both are gone, then free")
  void duplicate() {
    world.create("a", "10.0.0.0/26");
    world.create("b", "10.0.0.0/26");
    world.start();
    world.serve("c", "d");
    assertThat(world.cidrsOf("c")).isEqualTo("10.0.0.64/26");
    world.server.delete("a");
    world.settle();
    assertThat(world.stateOf("b")).isEqualTo("ASSIGNED");
    world.pass(120);
    assertThat(world.cidrsOf("d")).isEmpty();
    world.server.delete("b");
    world.pass(61);
    assertThat(world.cidrsOf("d")).isEqualTo("10.0.0.0/26");
    assertThat(world.events)
        .containsExactly(
            "open a CIDR_CONFLICT",
            "open b CIDR_CONFLICT",
            "open d CIDR_EXHAUSTED",
            "solved a CIDR_CONFLICT",
            "solved b CIDR_CONFLICT",
            "solved d CIDR_EXHAUSTED");
  }

  @Test
  @DisplayName("NC-B8 NC-B9 what a coarse or excluded CIDR touches is not freed with a finer one")
  void layers() {
    world = new ControllerWorld("10.0.0.0/24,26 -10.0.0.0/26");
    world.create("services", "10.0.0.0/27");
    world.create("fine", "10.0.0.64/28");
    world.create("fine-too", "10.0.0.80/28");
    world.create("coarse", "10.0.0.128/25");
    world.start();
    List.of("services", "fine").forEach(world.server::delete);
    world.pass(61);
    world.serve("a");
    assertThat(world.stateOf("a")).isEqualTo("PARKED CIDR_EXHAUSTED");
    world.server.delete("fine-too");
    world.pass(61);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
  }

  @Test
  @DisplayName("NC-B10 NC-B25 a restart counts nodes once, and a second start goes on behind them")
  void restart() {
    world.start();
    world.serve("a");
    var stopped = world.controller.stop().toCompletableFuture();
    world.settle();
    assertThat(stopped.join()).isEmpty();
    world.rebuilt().start(CidrTakeOver.clean());
    world.assertUsed(1, 0, 0);
    world.serve("b");
    assertThat(world.cidrsOf("b")).isEqualTo("10.0.0.64/26");
    world.assertUsed(2, 0, 0);
  }

  @Test
  @DisplayName("NC-B4 a node that was deleted before the controller looked leaves nothing behind")
  void deletedAtStart() {
    world.create("a", "10.0.0.0/26");
    world.create("b");
    var started = world.controller.start(CidrTakeOver::clean).toCompletableFuture();
    while (world.count("LIST") == 0) {
      world.time.step();
    }
    world.server.delete("a");
    world.server.delete("b");
    world.pass(61);
    assertThat(started.join()).isTrue();
    world.assertUsed(0, 0, 0);
    assertThat(world.controller.nodes()).isEmpty();
  }

  @Test
  @DisplayName("NC-AM17 a read that found the node, which was deleted since, is repeated")
  void deletedAfterRead() {
    Snapshot before = world.server.snapshot();
    world.start();
    world.serve("a");
    world.server.relist(before);
    world.pass(59);
    world.readFates.add(EffectFate.answered(Duration.ZERO, Duration.ofSeconds(5)));
    world.pass(2);
    world.assertUsed(0, 0, 1);
    world.server.delete("a");
    world.pass(10);
    world.assertUsed(0, 0, 0);
    assertThat(world.count("GET a")).isEqualTo(2);
  }
}
