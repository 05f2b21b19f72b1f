package io.tidemark.provider.azure.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.azure.figures.JoinWorld.Shape;
import io.tidemark.simulation.Waits;
import java.time.Duration;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Many nodes on Azure's request buckets")
class ManyNodesTest {
  private final JoinWorld world = new JoinWorld(Shape.usual());

  @Test
  @DisplayName(
      "AZ-N48 200 instances of a set at once are served in what their reads take and 16 s, by 3.5"
          + " reads and one write each, and nothing is throttled")
  void coldStart() {
    coldStart(200, 1, 16);
  }

  @Test
  @Tag("long")
  @DisplayName(
      "AZ-N48 1,000 instances of a set at once are served in 1.3 times what their reads take, by"
          + " 3.5 reads and one write each, and nothing is throttled")
  void coldStartOfMany() {
    coldStart(1_000, 1.3, 0);
  }

  private void coldStart(int nodes, double factor, double seconds) {
    world.boot("nodes", "pool-a", nodes).forEach(each -> world.join(each, Duration.ZERO));
    Waits waits = world.await(name -> true);
    SortedMap<String, Integer> calls = world.calls();
    double bound = (3 * nodes - 250) / 25.0;
    assertThat(waits.last()).isBetween(bound, factor * bound + seconds);
    assertThat(JoinWorld.sum(calls, JoinWorld::isRead)).isBetween(3 * nodes, 35 * nodes / 10);
    assertThat(calls).containsEntry("VirtualMachineScaleSetVMs.Update", nodes);
    assertThat(JoinWorld.sum(calls, name -> !JoinWorld.isRead(name))).isEqualTo(nodes);
    assertThat(world.throttled()).isZero();
  }

  @Test
  @DisplayName("AZ-N38 100 nodes in three sets of two subscriptions at rest: two reads a minute")
  void atRest() {
    world.bootThreeSets(100).forEach(each -> world.join(each, Duration.ZERO));
    assertThat(world.await(name -> true).unserved()).isZero();
    world.run(Duration.ofMinutes(10));
    SortedMap<String, Integer> before = world.calls();
    world.run(Duration.ofHours(1));
    SortedMap<String, Integer> calls = world.callsSince(before);
    assertThat(JoinWorld.sum(calls, name -> true)).isBetween(60, 120);
    assertThat(calls.keySet())
        .as("the sets of the nodes and their networks")
        .containsExactly(
            "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces", "VirtualNetworks.ListUsage");
  }

  @Test
  @DisplayName("AZ-N29 an instance that hangs or is throttled for itself delays no other")
  void oneInTrouble() {
    double usual = last(world);
    JoinWorld hung = new JoinWorld(Shape.usual());
    hung.hang("pool-a", 0);
    assertThat(last(hung)).isLessThan(1.05 * usual);
    JoinWorld refused = new JoinWorld(Shape.usual());
    refused.refuse("pool-a", 0);
    assertThat(last(refused)).isLessThan(1.05 * usual);
    assertThat(refused.throttled()).as("the instance waits, too").isBetween(1L, 5L);
    JoinWorld polled = new JoinWorld(Shape.usual());
    polled.refusePolls("pool-a", 0);
    assertThat(last(polled)).isLessThan(1.05 * usual);
    assertThat(polled.throttled()).as("its polls wait, too").isBetween(1L, 5L);
  }

  private static double last(JoinWorld world) {
    world.boot("nodes", "pool-a", 100).forEach(each -> world.join(each, Duration.ZERO));
    return world.await(name -> !name.equals("pool-a-0")).last();
  }
}
