package io.tidemark.nodecidr.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult.Effect;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("CIDRs of CiliumNodes (node-cidr 17.4 AM26)")
class ClusterPoolTest {
  private final PoolWorld world = new PoolWorld("10.0.0.0/22,24");
  private final PoolWorld dual = new PoolWorld("10.0.0.0/22,24 fd00::/110,112");

  @Test
  @DisplayName("NC-P2 ranges are used up in their order")
  void inOrder() {
    PoolWorld two = new PoolWorld("10.0.0.0/23,10.9.0.0/23,24");
    two.start();
    IntStream.range(0, 4).forEach(i -> two.create("n" + i));
    assertThat(two.cidrsOf("n0", "n1", "n2", "n3"))
        .containsExactly("10.0.0.0/24", "10.0.1.0/24", "10.9.0.0/24", "10.9.1.0/24");
  }

  @Test
  @DisplayName("NC-P2 a range may be added; nodes of one that was removed are foreign, and keep it")
  void changedRanges() {
    world.start();
    world.create("a");
    world.restart("10.0.0.0/22,10.9.0.0/24,24");
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
    world.restart("10.9.0.0/24,24");
    assertThat(world.stateOf("a")).isEqualTo("FOREIGN CIDR_FOREIGN");
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/24");
    assertThat(world.events).contains("open a CIDR_FOREIGN");
  }

  @Test
  @DisplayName("NC-P3 nodes without CIDRs wait for the list of all, then the oldest is first")
  void oldestFirst() {
    world.create("z");
    world.create("a");
    world.create("m", "10.0.0.0/24");
    assertThat(world.cidrsOf("z")).isEmpty();
    world.start();
    assertThat(world.cidrsOf("z", "a")).containsExactly("10.0.1.0/24", "10.0.2.0/24");
  }

  @Test
  @DisplayName("NC-P3 objects that are to be ignored are claimed, and never written")
  void ignored() {
    NodeResource bare = dual.server.createIgnored("bare");
    NodeResource half = dual.server.createIgnored("half", "10.0.0.0/24");
    dual.start();
    dual.create("a");
    assertThat(dual.cidrsOf("a")).isEqualTo("10.0.1.0/24 fd00::/112");
    assertThat(dual.server.node("bare")).isEqualTo(bare);
    assertThat(dual.server.node("half")).isEqualTo(half);
    dual.server.replace("half", "");
    dual.server.replace("bare", "");
    dual.settle();
    assertThat(dual.cidrsOf("half")).isEqualTo("10.0.0.0/24 fd00::1:0/112");
    assertThat(dual.cidrsOf("bare")).isEqualTo("10.0.2.0/24 fd00::2:0/112");
  }

  @Test
  @DisplayName("NC-P4 NC-P14 a node gets a block of each family or none, IPv4 first")
  void bothOrNone() {
    dual.start();
    IntStream.range(0, 5).forEach(i -> dual.create("n" + i));
    assertThat(dual.cidrsOf("n3", "n4")).containsExactly("10.0.3.0/24 fd00::3:0/112", "");
    assertThat(dual.stateOf("n4")).isEqualTo("PARKED CIDR_EXHAUSTED");
    assertThat(dual.requests)
        .doesNotContain("UPDATE n4")
        .filteredOn("UPDATE n0"::equals)
        .hasSize(1);
  }

  @Test
  @DisplayName("NC-P4 nodes are served at once and beside each other, without a round")
  void noRound() {
    world.start();
    IntStream.range(0, 4).forEach(i -> world.server.create("n" + i));
    world.pass(Duration.ofMillis(100));
    assertThat(IntStream.range(0, 4).mapToObj(i -> world.cidrsOf("n" + i)))
        .doesNotContain("")
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("NC-P5 a missing family is added after all claims are complete")
  void missingFamily() {
    dual.create("a", "10.0.1.0/24");
    dual.create("b", "fd00::/112");
    dual.create("c", "10.0.2.0/24", "fd00::1:0/112");
    dual.create("d", "10.0.0.0/24", "10.0.3.0/24");
    dual.start();
    assertThat(dual.cidrsOf("a")).isEqualTo("10.0.1.0/24 fd00::2:0/112");
    assertThat(dual.cidrsOf("c")).isEqualTo("10.0.2.0/24 fd00::1:0/112");
    assertThat(dual.cidrsOf("d")).isEqualTo("10.0.0.0/24 10.0.3.0/24 fd00::3:0/112");
    assertThat(dual.cidrsOf("b")).isEqualTo("fd00::/112");
    assertThat(dual.stateOf("b")).isEqualTo("PARKED CIDR_EXHAUSTED");
    dual.server.delete("a");
    dual.pass(Duration.ofSeconds(70));
    assertThat(dual.cidrsOf("b")).isEqualTo("10.0.1.0/24 fd00::/112");
    assertThat(dual.stateOf("b")).isEqualTo("ASSIGNED");
    assertThat(dual.reportOf("b").cidrs()).hasToString("[10.0.1.0/24, fd00::/112]");
  }

  @Test
  @DisplayName("NC-P5 a node with a CIDR that cannot be read gets no other family")
  void unreadable() {
    dual.create("a", "10.0.1.0/24", "nonsense");
    dual.start();
    assertThat(dual.stateOf("a")).isEqualTo("FOREIGN CIDR_UNREADABLE");
    assertThat(dual.cidrsOf("a")).isEqualTo("10.0.1.0/24 nonsense");
    assertThat(dual.requests).doesNotContain("UPDATE a");
  }

  @Test
  @DisplayName("NC-P7 both owners keep a CIDR and get an error; it is free when both are gone")
  void duplicate() {
    world.create("a", "10.0.1.0/24");
    world.create("b", "10.0.1.0/24");
    world.start();
    assertThat(world.stateOf("a", "b")).containsOnly("CONFLICT CIDR_CONFLICT");
    assertThat(world.cidrsOf("a") + " " + world.cidrsOf("b")).isEqualTo("10.0.1.0/24 10.0.1.0/24");
    world.server.delete("b");
    world.settle();
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
    assertThat(world.events)
        .containsExactlyInAnyOrder(
            "open a CIDR_CONFLICT",
            "open b CIDR_CONFLICT",
            "solved a CIDR_CONFLICT",
            "solved b CIDR_CONFLICT");
    world.pass(Duration.ofSeconds(70));
    IntStream.range(0, 4).forEach(i -> world.create("n" + i));
    assertThat(world.cidrsOf("n0")).isEqualTo("10.0.0.0/24");
    assertThat(world.cidrsOf("n3")).as("a still has its own").isEmpty();
  }

  @Test
  @DisplayName("NC-P8 CIDRs that were changed to others are left, and told until they are back")
  void changed() {
    world.start();
    world.create("a");
    world.server.assign("a", "10.0.3.0/24");
    world.settle();
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.3.0/24");
    assertThat(world.stateOf("a")).isEqualTo("FOREIGN CIDR_MISMATCH");
    IntStream.range(0, 3).forEach(i -> world.create("n" + i));
    assertThat(IntStream.range(0, 3).mapToObj(i -> world.cidrsOf("n" + i)))
        .as("both stay its own")
        .containsExactly("10.0.1.0/24", "10.0.2.0/24", "");
    world.server.assign("a", "10.0.0.0/24");
    world.settle();
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("NC-P8 CIDRs that were removed are written back, one family or all")
  void emptied() {
    dual.start();
    dual.create("a");
    dual.create("b");
    dual.server.assign("a");
    dual.server.assign("b", "10.0.1.0/24");
    dual.settle();
    assertThat(dual.cidrsOf("a")).isEqualTo("10.0.0.0/24 fd00::/112");
    assertThat(dual.cidrsOf("b")).isEqualTo("10.0.1.0/24 fd00::1:0/112");
    assertThat(dual.stateOf("a")).isEqualTo("ASSIGNED");
    assertThat(dual.events).isEmpty();
  }

  @Test
  @DisplayName(
      "NC-P8 removed CIDRs that another node has are not written back: the node gets others")
  void emptiedDuplicate() {
    world.create("a", "10.0.1.0/24");
    world.create("b", "10.0.1.0/24");
    world.start();
    world.server.assign("a");
    world.settle();
    assertThat(world.cidrsOf("a", "b")).containsExactly("10.0.0.0/24", "10.0.1.0/24");
    assertThat(world.requests).containsOnlyOnce("UPDATE a");
  }

  @Test
  @DisplayName("NC-P9 in a full range a duplicate is reported as one, and so is a wider CIDR")
  void exact() {
    world.create("wide", "10.0.0.0/22");
    world.create("one", "10.0.2.0/24");
    world.start();
    assertThat(world.stateOf("one", "wide")).containsOnly("CONFLICT CIDR_CONFLICT");
    world.server.delete("wide");
    world.pass(Duration.ofSeconds(70));
    IntStream.range(0, 4).forEach(i -> world.create("n" + i));
    assertThat(IntStream.range(0, 4).mapToObj(i -> world.cidrsOf("n" + i)))
        .containsExactly("10.0.0.0/24", "10.0.1.0/24", "10.0.3.0/24", "");
  }

  @Test
  @DisplayName("NC-P10 a new object of the same name gets the cooling blocks of the name back")
  void sameName() {
    dual.start();
    dual.create("a");
    dual.create("b");
    dual.server.delete("a");
    dual.create("c");
    assertThat(dual.cidrsOf("c")).isEqualTo("10.0.2.0/24 fd00::2:0/112");
    dual.create("a");
    assertThat(dual.cidrsOf("a")).isEqualTo("10.0.0.0/24 fd00::/112");
    dual.pass(Duration.ofSeconds(70));
    dual.create("d");
    dual.create("e");
    assertThat(dual.cidrsOf("d")).isEqualTo("10.0.3.0/24 fd00::3:0/112");
    assertThat(dual.cidrsOf("e")).as("a's blocks are not free").isEmpty();
  }

  @Test
  @DisplayName("NC-P10 not blocks that another node has as well, and not when the cooldown is over")
  void notWhole() {
    world.create("a", "10.0.1.0/24");
    world.create("b", "10.0.1.0/24");
    world.start();
    world.server.delete("a");
    world.create("a");
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/24");
    world.server.delete("b");
    world.pass(Duration.ofSeconds(70));
    world.create("other");
    world.create("b");
    assertThat(world.cidrsOf("other", "b")).containsExactly("10.0.1.0/24", "10.0.2.0/24");
  }

  @Test
  @DisplayName("NC-P10 the new object's blocks cool with the old one's when it goes at once")
  void sameNameGone() {
    world.start();
    world.create("a");
    world.server.delete("a");
    world.failing.put("UPDATE a", Effect.UNKNOWN);
    world.create("a");
    world.server.delete("a");
    world.settle();
    IntStream.range(0, 4).forEach(i -> world.create("n" + i));
    assertThat(world.cidrsOf("n3")).isEmpty();
    world.pass(Duration.ofSeconds(150));
    assertThat(world.cidrsOf("n3")).isEqualTo("10.0.0.0/24");
  }

  @Test
  @DisplayName("NC-B23 NC-AM23 no node gets CIDRs while the Cilium operator assigns them as well")
  void secondAllocator() {
    world.start();
    world.create("a");
    world.failing.put("UPDATE b", Effect.ASKED_TO_WAIT);
    world.create("b");
    world.server.assignAs("cilium-operator-generic", "b", "10.0.3.0/24");
    world.settle();
    world.create("c");
    assertThat(world.stateOf("c")).isEqualTo("PARKED SECOND_ALLOCATOR");
    assertThat(world.controller.paused().orElseThrow().detail())
        .startsWith("cilium-operator-generic assigned CIDRs to node b");
    world.pass(Duration.ofMinutes(6));
    assertThat(world.cidrsOf("c")).isEqualTo("10.0.2.0/24");
  }

  @Test
  @DisplayName("NC-B23 what others write to objects that are to be ignored stops nothing")
  void ignoredIsNoAllocator() {
    world.start();
    world.server.createIgnored("by-hand");
    world.server.assignAs("kubectl-edit", "by-hand", "10.0.0.0/24");
    world.settle();
    world.create("a");
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.1.0/24");
  }
}
