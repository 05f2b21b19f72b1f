package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ForwardingClusterNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Pauses of assignment: after a take-over, and while another allocator writes")
class PausesTest {
  private final ControllerWorld world = new ControllerWorld("10.0.0.0/16,24");

  private void foreign(String name, String cidr) {
    NodeChange change = world.assignByOther(name, cidr);
    assertThat(change).isInstanceOf(NodeChange.Accepted.class);
    world.settle();
  }

  @Test
  @DisplayName(
      "NC-AM18 NC-AM22 NC-B28 after a take-over nothing is given out before the hold ends, then"
          + " nodes are served in the order in which they came")
  void hold() {
    world.create("b");
    world.pass(1);
    world.create("a");
    world.start(CidrTakeOver.hold(Duration.ofSeconds(75)));
    world.serve("c");
    assertThat(world.stateOf("a")).isEqualTo("PARKED CIDR_WITHHELD");
    world.pass(72);
    assertThat(world.requests).doesNotContain("ASSIGN a", "ASSIGN b", "ASSIGN c");
    assertThat(world.events).contains("open a CIDR_WITHHELD");
    world.pass(3);
    assertThat(world.cidrsOf("b", "a", "c"))
        .containsExactly("10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24");
    assertThat(world.events).contains("solved a CIDR_WITHHELD", "solved c CIDR_WITHHELD");
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("NC-AM18 a late write of the former leader is claimed during the hold")
  void lateWrite() {
    world.create("a");
    world.create("b");
    world.start(CidrTakeOver.hold(Duration.ofSeconds(75)));
    String uid = world.server.find("b").orElseThrow().uid();
    NodeChange late =
        world.server.assign(ControllerWorld.MANAGER, "b", uid, List.of(Cidr.parse("10.0.0.0/24")));
    assertThat(late).isInstanceOf(NodeChange.Accepted.class);
    world.pass(76);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.1.0/24");
    assertThat(world.controller.paused()).isEmpty();
  }

  @Test
  @DisplayName(
      "NC-AM23 NC-B23 another allocator's write pauses assignment for 5 min, its next episodes for"
          + " twice as long, up to an hour")
  void secondAllocator() {
    world.create("before", "10.0.9.0/24");
    world.start();
    assertThat(world.controller.paused()).as("before the start").isEmpty();
    int pause = 300;
    for (int episode = 1; episode <= 6; episode++) {
      world.leads = false;
      String taken = "taken-" + episode;
      world.serve(taken);
      foreign(taken, "10.0.10" + episode + ".0/24");
      world.leads = true;
      assertThat(world.controller.paused())
          .hasValueSatisfying(
              matter -> assertThat(matter.code()).isEqualTo(NodeCidrError.SECOND_ALLOCATOR));
      String waits = "waits-" + episode;
      world.serve(waits);
      assertThat(world.stateOf(waits)).isEqualTo("PARKED SECOND_ALLOCATOR");
      assertThat(world.stateOf(taken)).as("claims go on").isEqualTo("ASSIGNED");
      assertThat(world.controller.isSettled()).isTrue();
      world.pass(pause - 2);
      assertThat(world.cidrsOf(waits)).isEmpty();
      world.pass(2);
      assertThat(world.cidrsOf(waits)).isNotEmpty();
      assertThat(world.events)
          .contains("open " + waits + " SECOND_ALLOCATOR", "solved " + waits + " SECOND_ALLOCATOR");
      pause = Math.min(3600, 2 * pause);
    }
  }

  @Test
  @DisplayName("NC-AM23 a node that waited before for another reason reports the other allocator")
  void waitsAlready() {
    world.start(CidrTakeOver.hold(Duration.ofSeconds(75)));
    world.serve("a");
    assertThat(world.stateOf("a")).isEqualTo("PARKED CIDR_WITHHELD");
    world.create("b", "10.0.200.0/24");
    world.settle();
    assertThat(world.stateOf("a")).isEqualTo("PARKED SECOND_ALLOCATOR");
  }

  @Test
  @DisplayName("NC-AM23 each further write of the other renews the pause, and stops repetitions")
  void goesOn() {
    world.start();
    world.answer("a", new NodeChange.Unknown("reset"), new NodeChange.Unknown("reset"));
    world.serve("a");
    world.serve("b");
    world.create("c", "10.0.200.0/24");
    world.settle();
    assertThat(world.controller.paused()).as("who created it wrote it").isPresent();
    long writes = world.count("ASSIGN a");
    world.pass(200);
    world.create("d", "10.0.201.0/24");
    world.pass(200);
    assertThat(world.count("ASSIGN a")).isEqualTo(writes);
    assertThat(world.cidrsOf("a")).isEmpty();
    world.pass(101);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/24");
  }

  @Test
  @DisplayName("NC-AM19 NC-AM39 nothing is given out while a node that may have blocks is unread")
  void unreadable() {
    List<ObjectWatcher<ClusterNode>> watchers = new ArrayList<>();
    world.wrapped =
        store ->
            new ForwardingClusterNodes(store) {
              @Override
              public Watch watch(ObjectWatcher<ClusterNode> watcher) {
                watchers.add(watcher);
                return super.watch(watcher);
              }
            };
    world.create("a");
    world.rebuilt().controller.standBy();
    world.settle();
    watchers.get(0).refused("broken", List.of());
    world.start();
    assertThat(world.stateOf("a")).isEqualTo("PARKED CIDR_UNREADABLE");
    assertThat(world.controller.paused()).isPresent();
    watchers.get(0).refused("a", List.of());
    watchers.get(0).deleted("broken");
    world.settle();
    assertThat(world.cidrsOf("a")).as("it was read before").isEqualTo("10.0.0.0/24");
    assertThat(world.events)
        .contains("open broken CIDR_UNREADABLE", "solved broken CIDR_UNREADABLE");
  }
}
