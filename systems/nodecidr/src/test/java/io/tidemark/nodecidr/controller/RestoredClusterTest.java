package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ForwardingClusterNodes;
import io.tidemark.metrics.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Node CIDRs of a cluster that was restored from a backup")
class RestoredClusterTest {
  private final ControllerWorld world = new ControllerWorld("10.0.0.0/24,26");
  private long interruptions;

  RestoredClusterTest() {
    world.wrapped =
        store ->
            new ForwardingClusterNodes(store) {
              @Override
              public long interruptions() {
                return interruptions;
              }
            };
    world.rebuilt();
  }

  /** A node that was deleted after the backup is there again, and the watch was cut. */
  private void back(String name, String cidr) {
    world.server.restore(
        ClusterNode.named(name, "")
            .withPodCidrs(new PodCidrs(cidr, List.of(cidr), Optional.of(ControllerWorld.MANAGER))));
    interruptions++;
    world.settle();
  }

  private String served(String name) {
    world.serve(name);
    return world.cidrsOf(name);
  }

  @Test
  @DisplayName("before the first block after an interruption of the watch all nodes are listed")
  void listedFirst() {
    world.start();
    assertThat(served("a")).isEqualTo("10.0.0.0/26");
    back("b", "10.0.0.64/26");
    assertThat(world.count("LIST")).as("nobody needs a block").isEqualTo(1);
    assertThat(served("c")).isEqualTo("10.0.0.128/26");
    assertThat(served("d")).isEqualTo("10.0.0.192/26");
    assertThat(world.count("LIST")).as("once for an interruption").isEqualTo(2);
    assertThat(world.stateOf("b")).isEqualTo("ASSIGNED");
    assertThat(world.events).isEmpty();
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("while that list fails nobody gets a block, and it is asked for again")
  void listFails() {
    world.start();
    world.listsFail = true;
    back("b", "10.0.0.0/26");
    assertThat(served("a")).isEmpty();
    world.pass(60);
    assertThat(world.stateOf("a")).isEqualTo("WAITING");
    assertThat(world.controller.isSettled()).isFalse();
    world.listsFail = false;
    world.pass(2);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
  }

  @Test
  @DisplayName("a watch that is interrupted while the nodes are listed asks for one more list")
  void interruptedAgain() {
    world.start();
    world.listsFail = true;
    back("b", "10.0.0.0/26");
    assertThat(served("a")).isEmpty();
    world.listsFail = false;
    while (world.count("LIST") < 3) {
      world.time.step();
    }
    interruptions++;
    world.pass(5);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    assertThat(world.count("LIST")).isEqualTo(4);
  }

  @Test
  @DisplayName("a block that was kept for a node and not sent yet is not sent before that list")
  void notSent() {
    world.start();
    world.leads = false;
    assertThat(served("a")).isEmpty();
    assertThat(world.reportOf("a").cidrs()).asString().contains("10.0.0.0/26");
    back("b", "10.0.0.0/26");
    world.leads = true;
    world.pass(30);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    assertThat(world.stateOf("b")).isEqualTo("ASSIGNED");
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("nor before a node is known that this list has and no watch has shown yet")
  void listedAndNotShown() {
    world.start();
    world.leads = false;
    assertThat(served("a")).isEmpty();
    assertThat(world.reportOf("a").cidrs()).asString().contains("10.0.0.0/26");
    world.delay = () -> Duration.ofSeconds(60).toNanos();
    back("b", "10.0.0.0/26");
    world.leads = true;
    world.pass(30);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    assertThat(world.stateOf("b")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("a node that waits for a block gets none that a node has which is back")
  void waits() {
    world.start();
    List.of("a", "b", "c", "d").forEach(this::served);
    assertThat(served("e")).isEmpty();
    world.server.delete("b");
    world.settle();
    back("f", "10.0.0.64/26");
    world.pass(100);
    assertThat(world.cidrsOf("e")).isEmpty();
    assertThat(world.stateOf("e", "f")).containsExactly("PARKED CIDR_EXHAUSTED", "ASSIGNED");
  }

  /** A node that was assigned its CIDRs after the backup has none again. */
  private void loses(String name) {
    world.server.restore(ClusterNode.named(name, ""));
    interruptions++;
  }

  @Test
  @DisplayName("a node that got its CIDRs after the backup gets the same again")
  void lost() {
    world.start();
    assertThat(served("a")).isEqualTo("10.0.0.0/26");
    loses("a");
    assertThat(served("b")).isEqualTo("10.0.0.64/26");
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/26");
    assertThat(world.stateOf("a")).isEqualTo("ASSIGNED");
    assertThat(world.count("ASSIGN a")).isEqualTo(2);
    world.assertUsed(2, 0, 0);
    assertThat(world.events).isEmpty();
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("but not those that a node has which is back: then it gets others")
  void lostToAnother() {
    world.start();
    assertThat(served("a")).isEqualTo("10.0.0.0/26");
    loses("a");
    back("b", "10.0.0.0/26");
    assertThat(served("c")).isNotEmpty();
    world.pass(1);
    assertThat(world.cidrsOf("a")).isNotEmpty().isNotEqualTo("10.0.0.0/26");
    assertThat(world.cidrsOf("a")).isNotEqualTo(world.cidrsOf("c"));
    assertThat(world.stateOf("b")).isEqualTo("CONFLICT CIDR_CONFLICT");
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("a block that two nodes have is reported at each start, and is counted")
  void reportedAtEachStart() {
    world.create("a", "10.0.0.0/26");
    world.create("b", "10.0.0.0/26");
    for (int i = 0; i < 2; i++) {
      world.events.clear();
      world.start();
      assertThat(world.events)
          .containsExactlyInAnyOrder("open a CIDR_CONFLICT", "open b CIDR_CONFLICT");
      assertThat(world.measured.value(Metric.NODE_CIDR_CONFLICTS)).isEqualTo(2);
      assertThat(world.stateOf("a")).isEqualTo("CONFLICT CIDR_CONFLICT");
      world.crash();
      world.rebuilt();
    }
  }
}
