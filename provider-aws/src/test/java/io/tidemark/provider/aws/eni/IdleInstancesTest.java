package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniWorld.WHILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Instances that do not run, over the strict EC2, which attaches to stopped ones")
class IdleInstancesTest {
  private final EniWorld world = new EniWorld();
  private final String home = world.home();

  @DisplayName("Nothing is given to them until they run")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A stopped one gets nothing, though EC2 would attach; started again it is served \
            | node; stop; pass 1; create 4 InstanceNotRunning; allocate 4 InstanceNotRunning; \
              never CreateNetworkInterface AssignPrivateIpAddresses; inventory Known; start; 30s; \
              create 4 Allocated; stop; pass 1; create 4 InstanceNotRunning
          The engine: a stopped node is not running, no failure, and served when started \
            | run 8/0/0/0; is 8/0; stop; 3m; attached 8; use 8; 1m; state NOT_RUNNING; attached 8; \
              uncounted allocateIP failed; start; 3m; is 16/8
          Without the permission to list instances the sweep goes on \
            | node; deny DescribeInstances; 2m; resync Synced; create 4 Allocated
          A late list does not hide that the instance has been stopped since it was made \
            | node; stop; pass 1; start; 1m; lateList 1; stop; create 4 InstanceNotRunning; \
              stillLate; listEnds Synced; create 4 InstanceNotRunning; interfaces 1; start; 1m; \
              create 4 Allocated
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
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
      assertThat(world.create(each, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
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
}
