package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodecidr.controller.NodeReport.State;
import java.util.List;
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
    assertThat(world.start()).isEqualTo(new StartOutcome.Ready());
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.64/26");
    assertThat(world.cidrsOf("b")).isEqualTo("10.0.0.128/26");
    assertThat(world.cidrsOf("c")).isEqualTo("10.0.0.192/26");
    assertThat(world.controller.status().count(State.ASSIGNED)).isEqualTo(4);
    assertThat(world.controller.isSettled()).isTrue();
    assertThat(world.events).isEmpty();
  }

  @Test
  @DisplayName("A preview says what would be done, and changes nothing")
  void preview() {
    ControllerWorld world = new ControllerWorld("10.0.0.0/25,26");
    world.create("a", "192.168.0.0/26");
    world.create("b");
    world.create("c");
    world.create("d");
    var preview = world.controller.preview().toCompletableFuture();
    world.settle();
    List<NextStep> steps = preview.join();
    assertThat(steps)
        .extracting(step -> step.node().name() + " " + step.cidrs() + " " + codes(step.matters()))
        .containsExactly(
            "a [] [CIDR_FOREIGN]",
            "b [10.0.0.0/26] []",
            "c [10.0.0.64/26] []",
            "d [] [CIDR_EXHAUSTED]");
    assertThat(world.cidrsOf("b")).isEmpty();
    assertThat(world.controller.status().nodes()).isEmpty();
    assertThat(world.start()).isEqualTo(new StartOutcome.Ready());
    assertThat(world.cidrsOf("b")).isEqualTo("10.0.0.0/26");
  }

  private static List<String> codes(List<NodeReport.Matter> matters) {
    return matters.stream().map(each -> each.code().name()).toList();
  }
}
