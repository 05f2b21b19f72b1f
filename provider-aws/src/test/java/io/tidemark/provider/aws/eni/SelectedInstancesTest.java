package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("instance-tags-filter where EC2's answer is late or missing (provider-aws 1.1, 9)")
class SelectedInstancesTest {
  private static final Map<String, String> PODS = Map.of("pool", "pods");

  private final EniWorld world = EniWorld.in("instanceTags", PODS);
  private final String home = world.home();

  @BeforeEach
  void launch() {
    world.ec2.mark(world.launch("node1", "m5.large", home), PODS);
    world.launch("node2", "m5.large", home);
  }

  private NodeOperations node(String name) {
    return world.provider.createNode(
        new NodeSettings(name, false, true, false), world.resource(name));
  }

  private void answering(boolean on) {
    world.ec2.emulator().deny("*", on ? Set.of() : Set.of("DescribeInstances"));
  }

  @Test
  @DisplayName("While EC2 does not tell the tags, reads fail and no instance is served")
  void notTold() {
    answering(false);
    NodeOperations first = node("node1");
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(world.sync("node1")).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(first.inventory()).isNotInstanceOf(Inventory.Known.class);
    answering(true);
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.sync("node1")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(first.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("What was selected stays served while EC2 does not tell the tags")
  void staysServed() {
    NodeOperations first = node("node1");
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.sync("node1")).isInstanceOf(SyncOutcome.Synced.class);
    answering(false);
    world.run(Duration.ofMinutes(2));
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(world.sync("node1")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(first.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("A late list does not hide that an instance was selected since it was made")
  void lateList() {
    NodeOperations second = node("node2");
    assertThat(world.sync("node2")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(second.inventory()).isInstanceOf(Inventory.Untouchable.class);
    CompletionStage<SyncOutcome> late = world.lateList(2);
    world.ec2.mark(world.instance("node2"), PODS);
    world.run(Duration.ofSeconds(1));
    assertThat(world.sync("node2")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(second.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(late.toCompletableFuture().isDone()).isFalse();
    assertThat(world.await(late)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(second.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("A listing teaches nothing about instances that are not selected")
  void othersListed() {
    node("node1");
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    NodeOperations second = node("node2");
    assertThat(second.inventory()).isNotInstanceOf(Inventory.Known.class);
    assertThat(world.sync("node2")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(second.inventory()).isInstanceOf(Inventory.Untouchable.class);
  }
}
