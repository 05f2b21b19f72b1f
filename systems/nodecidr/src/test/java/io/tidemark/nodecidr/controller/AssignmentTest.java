package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ForwardingClusterNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The assignment of CIDRs to one node, by each ending of its write")
class AssignmentTest {
  private final ControllerWorld world = new ControllerWorld("10.0.0.0/24,26");

  private static NodeChange unknown() {
    return new NodeChange.Unknown("connection reset");
  }

  @Test
  @DisplayName("NC-AM20 NC-B2 without a result the same blocks are written until there is one")
  void unknownAgain() {
    world.start();
    world.answer("a", Collections.nCopies(6, unknown()).toArray(NodeChange[]::new));
    world.serve("a");
    assertThat(world.cidrsOf("a")).isEmpty();
    assertThat(world.stateOf("a")).isEqualTo("WAITING");
    assertThat(world.reportOf("a").cidrs()).containsExactly(Cidr.parse("10.0.0.0/26"));
    assertThat(world.controller.isSettled()).isFalse();
    world.serve("b");
    assertThat(world.cidrsOf("b")).as("nobody else gets the block").isEqualTo("10.0.0.64/26");
    world.pass(40);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/26");
    assertThat(world.events)
        .containsExactly("open a CIDR_WRITE_FAILED", "solved a CIDR_WRITE_FAILED");
    world.assertUsed(2, 0, 0);
  }

  @Test
  @DisplayName("NC-AM20 NC-B1 a write that arrives late reaches the node that it was for, or none")
  void late() {
    world.start();
    world.fates.add(EffectFate.answered(Duration.ofSeconds(55), Duration.ZERO));
    world.fates.add(EffectFate.requestLost());
    world.serve("a");
    world.serve("b", "c", "d");
    world.pass(70);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/26");
    assertThat(
            world.server.all().stream().flatMap(node -> node.podCidrs().all().stream()).distinct())
        .hasSize(4);
  }

  @Test
  @DisplayName("NC-AM20 NC-B4 a node that is gone gives its block back at once")
  void gone() {
    world.start();
    world.answer("a", new NodeChange.Gone());
    world.delay = () -> Duration.ofSeconds(5).toNanos();
    world.create("a");
    world.pass(1);
    world.server.delete("a");
    world.pass(30);
    world.assertUsed(0, 0, 0);
    assertThat(world.controller.report("a")).isEmpty();
    assertThat(world.count("ASSIGN a")).isEqualTo(1);
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("NC-AM19 nothing is assigned before every node was shown, those unreadable too")
  void shownFirst() {
    world.delay = () -> Duration.ofSeconds(20).toNanos();
    world.create("a");
    world.controller.start(CidrTakeOver::clean);
    world.pass(10);
    assertThat(world.count("LIST")).isEqualTo(1);
    assertThat(world.count("ASSIGN a")).isZero();
    world.pass(15);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/26");
  }

  @Test
  @DisplayName("NC-AM20 other CIDRs of the node are read and claimed, ours are free")
  void occupied() {
    world.delay = () -> Duration.ofSeconds(20).toNanos();
    world.create("a");
    world.create("b");
    world.controller.start(CidrTakeOver::clean);
    while (world.count("LIST") == 0) {
      world.time.step();
    }
    NodeChange other = world.assignByOther("a", "10.0.0.192/26");
    assertThat(other).isInstanceOf(NodeChange.Accepted.class);
    world.pass(25);
    assertThat(world.reportOf("a").cidrs()).containsExactly(Cidr.parse("10.0.0.192/26"));
    assertThat(world.count("GET a")).isEqualTo(1);
    assertThat(world.cidrsOf("b")).isEqualTo("10.0.0.64/26");
    world.assertUsed(2, 0, 0);
  }

  @Test
  @DisplayName("NC-AM20 NC-B15 a refused write frees the block, is reported, and tried much later")
  void refused() {
    world.start();
    world.answer("a", new NodeChange.Refused("nodes is forbidden"));
    world.serve("a");
    assertThat(world.stateOf("a")).isEqualTo("PARKED CIDR_FORBIDDEN");
    world.assertUsed(0, 0, 0);
    assertThat(world.controller.isSettled()).isTrue();
    world.pass(200);
    assertThat(world.count("ASSIGN a")).isEqualTo(1);
    world.pass(101);
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
    assertThat(world.events).containsExactly("open a CIDR_FORBIDDEN", "solved a CIDR_FORBIDDEN");
  }

  /** A store that shows a node as it was before our write, as a cache may. */
  private ClusterNodeStore forgetful(ClusterNodeStore store) {
    return new ForwardingClusterNodes(store) {
      @Override
      public Optional<ClusterNode> latest(String name) {
        return super.latest(name).map(node -> node.withPodCidrs(PodCidrs.NONE));
      }
    };
  }

  @Test
  @DisplayName(
      "NC-AM21 NC-B26 a node keeps CIDRs that a cache does not show: no other block, write or event")
  void memory() {
    world.wrapped = this::forgetful;
    world.rebuilt().start();
    world.serve("a");
    for (int i = 0; i < 40; i++) {
      world.server.change("a", ClusterNode::withBeingDeleted);
      world.settle();
    }
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
    assertThat(world.count("ASSIGN a")).isEqualTo(1);
    world.assertUsed(1, 0, 0);
    assertThat(world.events).isEmpty();
  }

  @Test
  @DisplayName("NC-B5 a node that is being deleted gets no CIDRs, and keeps those that it has")
  void beingDeleted() {
    world.start();
    world.serve("a");
    world.server.change("a", ClusterNode::withBeingDeleted);
    assertThat(world.server.create(ClusterNode.named("b", "").withBeingDeleted())).isPresent();
    world.pass(300);
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
    assertThat(world.cidrsOf("b")).isEmpty();
    world.assertUsed(1, 0, 0);
  }

  @Test
  @DisplayName("NC-B5 a reservation that was not sent ends when the deletion of its node begins")
  void deletionBeforeWrite() {
    world.start();
    world.leads = false;
    world.serve("a");
    world.assertUsed(0, 1, 0);
    world.server.change("a", ClusterNode::withBeingDeleted);
    world.settle();
    world.assertUsed(0, 0, 0);
    world.leads = true;
    world.pass(60);
    assertThat(world.count("ASSIGN a")).isZero();
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("NC-AM23 NC-B23 a block that another allocator gave away meanwhile is not written")
  void takenBeforeWrite() {
    world.start();
    world.leads = false;
    world.serve("a");
    assertThat(world.reportOf("a").cidrs()).containsExactly(Cidr.parse("10.0.0.0/26"));
    world.create("b", "10.0.0.0/26");
    world.settle();
    assertThat(world.events).contains("open b CIDR_CONFLICT");
    assertThat(world.stateOf("b")).as("the block is not kept any more").isEqualTo("ASSIGNED");
    world.leads = true;
    world.pass(301);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    assertThat(world.stateOf("a", "b")).containsExactly("ASSIGNED", "ASSIGNED");
  }

  @Test
  @DisplayName("NC-B5 but not one whose write is under way: nobody else gets the block")
  void deletionDuringWrite() {
    world.start();
    world.fates.add(EffectFate.answered(Duration.ofSeconds(5), Duration.ZERO));
    world.serve("a");
    world.server.change("a", ClusterNode::withBeingDeleted);
    world.settle();
    world.assertUsed(0, 1, 0);
    world.serve("b");
    assertThat(world.cidrsOf("b")).isEqualTo("10.0.0.64/26");
    world.pass(10);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/26");
    world.assertUsed(2, 0, 0);
  }

  @Test
  @DisplayName("NC-B26 that a node's successor has no CIDRs yet does not mean that it lost its own")
  void noCidrsYet() {
    Map<String, ClusterNode> shown = new HashMap<>();
    world.wrapped =
        store ->
            new ForwardingClusterNodes(store) {
              @Override
              public Optional<ClusterNode> latest(String name) {
                return Optional.ofNullable(shown.get(name)).or(() -> super.latest(name));
              }
            };
    world.rebuilt().start();
    ClusterNode made = world.create("a");
    world.settle();
    shown.put("a", made);
    world.server.delete("a");
    ClusterNode successor = world.create("a");
    world.settle();
    assertThat(world.count("GET a")).isEqualTo(1);
    assertThat(world.count("ASSIGN a")).as("nothing for the one that is gone").isEqualTo(1);
    shown.clear();
    world.server.change("a", node -> node.withProviderId("new"));
    world.settle();
    assertThat(world.server.find("a").orElseThrow().uid()).isEqualTo(successor.uid());
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    world.assertUsed(1, 0, 1);
  }

  @Test
  @DisplayName("NC-B5 what waits for a node is free once others gave it CIDRs that are unreadable")
  void unreadable() {
    world.start();
    world.leads = false;
    ClusterNode node = world.create("a");
    world.settle();
    world.assertUsed(0, 1, 0);
    String text = "10.0.0.0/33";
    world.server.restore(
        node.withPodCidrs(new PodCidrs(text, List.of(text), Optional.of(ControllerWorld.MANAGER))));
    world.server.change("a", any -> any);
    world.settle();
    world.assertUsed(0, 0, 0);
    world.leads = true;
    world.pass(60);
    assertThat(world.count("ASSIGN a")).isZero();
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("NC-B4 a write that waits after a refusal is sent at once when its node is deleted")
  void deletedWhileRefused() {
    world.start();
    world.answer("a", new NodeChange.Unknown("connection reset"));
    world.answer("a", new NodeChange.Refused("nodes is forbidden"));
    world.serve("a");
    world.pass(2);
    assertThat(world.stateOf("a")).isEqualTo("PARKED CIDR_FORBIDDEN");
    world.assertUsed(0, 1, 0);
    world.server.delete("a");
    world.pass(2);
    world.assertUsed(0, 0, 1);
    assertThat(world.controller.isSettled()).isTrue();
  }
}
