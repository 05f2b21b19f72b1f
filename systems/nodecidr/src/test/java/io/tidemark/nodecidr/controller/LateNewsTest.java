package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ForwardingClusterNodes;
import io.tidemark.cluster.NodeChange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Nodes that are deleted, replaced or written by others while they are assigned CIDRs")
class LateNewsTest {
  private final ControllerWorld world = new ControllerWorld("10.0.0.0/24,26");

  private ClusterNode served(String name) {
    ClusterNode node = world.create(name);
    world.settle();
    return node;
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
    shown.put("a", served("a"));
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
    ClusterNode node = served("a");
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
    served("a");
    world.pass(2);
    assertThat(world.stateOf("a")).isEqualTo("PARKED CIDR_FORBIDDEN");
    world.assertUsed(0, 1, 0);
    world.server.delete("a");
    world.pass(2);
    world.assertUsed(0, 0, 1);
    assertThat(world.controller.isSettled()).isTrue();
  }
}
