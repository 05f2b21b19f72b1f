package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a full read covers, whole or in parts (provider-aws 4.2, M4)")
class FullSyncTest {
  private EniWorld world = new EniWorld();
  private String home = world.ec2.subnet("10.0.0.0/24");

  private NodeOperations node(String name) {
    world.launch(name, "m5.large", home);
    return world.node(name, world.spec("m5.large", home).build(), false, false);
  }

  /** Three nodes, read a minute ago; in a crowded VPC the next full read is one of parts. */
  private List<NodeOperations> nodes(boolean crowded) {
    world = new EniWorld(Samples.SETTINGS, crowded ? SweepPlanTest.Crowded::new : api -> api);
    home = world.ec2.subnet("10.0.0.0/24");
    world.ec2.parked(home, "somebody's", Map.of());
    List<NodeOperations> all = Stream.of("node1", "node2", "node3").map(this::node).toList();
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    world.run(Duration.ofMinutes(1));
    return all;
  }

  private CompletionStage<AllocationOutcome> assigning(NodeOperations node) {
    AllocationAction plan = node.prepareIpAllocation();
    return node.allocateIps(
        plan.with(plan.ipv4().wanting(2, OptionalInt.empty()), 0), world.context());
  }

  @DisplayName("It does not cover a write that was made while it was on its way")
  @ParameterizedTest(name = "in parts: {0}")
  @ValueSource(booleans = {false, true})
  void writeMeanwhile(boolean crowded) {
    NodeOperations node = nodes(crowded).get(0);
    world.fates(
        each ->
            EffectFate.answered(
                EniWorld.TRAVEL,
                each.equals("DescribeNetworkInterfaces")
                    ? Duration.ofSeconds(5)
                    : EniWorld.TRAVEL));
    CompletionStage<SyncOutcome> read = world.provider.resync(world.context());
    // In parts, what is attached to nothing is listed first.
    world.run(Duration.ofSeconds(crowded ? 6 : 1));
    assertThat(world.requests).endsWith("DescribeNetworkInterfaces");
    assertThat(world.await(assigning(node))).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(read.toCompletableFuture().isDone()).isFalse();
    long written = EniWorld.known(node).generation();
    assertThat(world.await(read))
        .isInstanceOfSatisfying(
            SyncOutcome.Synced.class,
            synced -> assertThat(synced.startedGeneration()).isLessThan(written));
  }

  @Test
  @DisplayName("A part covers no more than what was read of every instance")
  void partCovers() {
    List<NodeOperations> nodes = nodes(true);
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    for (NodeOperations each : nodes) {
      assertThat(world.await(assigning(each))).isInstanceOf(AllocationOutcome.Allocated.class);
    }
    long oldest =
        nodes.stream().mapToLong(each -> EniWorld.known(each).generation()).min().orElseThrow();
    world.requests.clear();
    assertThat(world.resync())
        .as("the page has room for one instance so soon")
        .isInstanceOfSatisfying(
            SyncOutcome.Synced.class,
            synced -> assertThat(synced.startedGeneration()).isLessThan(oldest));
    assertThat(world.requests).contains("DescribeNetworkInterfaces");
  }

  @Test
  @DisplayName("Without nodes nothing is read, least of all every interface of the region")
  void noNodes() {
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.requests).isEmpty();
  }

  @Test
  @DisplayName("While the subnets cannot be read it fails, and interfaces are not listed")
  void subnetsRefused() {
    world.faults(
        Ec2FaultRule.failing(
            "DescribeSubnets", new Ec2Error("UnauthorizedOperation", "not authorized", 403)));
    world.launch("node1", "m5.large", home);
    NodeOperations node =
        world.provider.createNode(
            new io.tidemark.spi.NodeSettings("node1", false, true, false),
            world.resource(
                "node1",
                world.spec("m5.large", home).build(),
                io.tidemark.resource.IpamSpec.of(8, 0, 0, 0)));
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(world.requests).doesNotContain("DescribeNetworkInterfaces");
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);
    world.faults();
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
  }
}
