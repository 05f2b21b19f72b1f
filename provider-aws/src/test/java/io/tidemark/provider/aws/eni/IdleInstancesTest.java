package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniWorld.WHILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Instances that do not run, over the strict EC2, which attaches to stopped ones")
class IdleInstancesTest {
  private final EniWorld world = new EniWorld();
  private final String home = world.home();

  private AllocationOutcome create(NodeOperations node) {
    return world.create(node, 4);
  }

  @Test
  @DisplayName("A stopped one gets nothing, though EC2 would attach; started again it is served")
  void startedAgain() {
    NodeOperations node = world.node("node1");
    world.stop("node1");
    assertThat(create(node)).isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
    assertThat(world.allocate(node, 4)).isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
    assertThat(world.requests).doesNotContain("CreateNetworkInterface", "AssignPrivateIpAddresses");
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
    world.ec2.start(world.instance("node1"));
    world.run(Duration.ofSeconds(30));
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
    world.stop("node1");
    assertThat(create(node))
        .as("stopped again")
        .isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
  }

  @Test
  @DisplayName("Running instances cost no question, stopped ones that want something share one")
  void cheap() {
    int nodes = 20;
    List<NodeOperations> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      world.launch("node" + i, "m5.large", home);
      all.add(
          world.provider.createNode(
              new NodeSettings("node" + i, false, true, false), world.resource("node" + i)));
    }
    world.resync();
    assertThat(world.sent("DescribeInstances"))
        .as("one list of those that do not run")
        .isEqualTo(1);
    for (NodeOperations each : all) {
      assertThat(create(each)).isInstanceOf(AllocationOutcome.Allocated.class);
    }
    assertThat(world.sent("DescribeInstances")).as("running ones are not asked about").isEqualTo(1);
    for (int i = 0; i < nodes; i++) {
      world.ec2.stop(world.instance("node" + i));
    }
    world.pass(1);
    long before = world.sent("DescribeInstances");
    for (NodeOperations each : all) {
      each.allocateIps(EniWorld.asking(each, 1), world.context())
          .thenAccept(
              outcome ->
                  assertThat(outcome).isInstanceOf(AllocationOutcome.InstanceNotRunning.class));
    }
    world.run(WHILE);
    assertThat(world.sent("DescribeInstances") - before).as("twenty at a time").isBetween(1L, 2L);
    assertThat(world.sent("AssignPrivateIpAddresses")).isZero();
  }

  @Test
  @DisplayName("The engine: a stopped node is not running, no failure, and served when started")
  void engine() {
    world.running(EngineConfig.defaults(), world.spec(), EniWorld.EIGHT);
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    world.ec2.stop(world.instance("node1"));
    world.run(Duration.ofMinutes(3));
    int before = world.attached("node1");
    world.use("node1", 8);
    world.run(Duration.ofMinutes(1));
    assertThat(world.report("node1").state()).isEqualTo(NodeState.NOT_RUNNING);
    assertThat(world.attached("node1")).isEqualTo(before);
    assertThat(world.metrics.all(Metric.ALLOCATION_DURATION).keySet())
        .noneMatch(each -> each.startsWith("allocateIP failed"));
    world.ec2.start(world.instance("node1"));
    world.run(Duration.ofMinutes(3));
    assertThat(world.availableUsed("node1")).isEqualTo("16/8");
  }

  @Test
  @DisplayName("Without the permission to list instances the sweep goes on")
  void notPermitted() {
    NodeOperations node = world.node("node1");
    world.ec2.emulator().deny("*", Set.of("DescribeInstances"));
    world.run(Duration.ofMinutes(2));
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  @DisplayName("A late list does not hide that the instance has been stopped since it was made")
  void lateListOfRunning() {
    NodeOperations node = world.node("node1");
    world.stop("node1");
    world.ec2.start(world.instance("node1"));
    world.run(Duration.ofMinutes(1));
    CompletionStage<SyncOutcome> late = world.lateList(1);
    world.ec2.stop(world.instance("node1"));
    assertThat(create(node)).isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
    assertThat(late.toCompletableFuture().isDone()).isFalse();
    assertThat(world.await(late)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(create(node)).isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
    assertThat(world.interfaces("node1")).hasSize(1);
    world.ec2.start(world.instance("node1"));
    world.run(Duration.ofMinutes(1));
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
  }
}
