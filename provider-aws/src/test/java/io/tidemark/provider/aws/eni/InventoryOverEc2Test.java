package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is known of EC2, over the strict EC2 (provider-aws 4, 10.5)")
class InventoryOverEc2Test {
  private EniWorld world = new EniWorld();

  private static AddressSet singles(NodeOperations node) {
    AddressSet all = AddressSet.of();
    for (AttachedInterface each : EniWorld.known(node).interfaces()) {
      all = all.plus(each.singles());
    }
    return all;
  }

  /** A node of four addresses. */
  private NodeOperations four() {
    NodeOperations node = world.node("node1");
    assertThat(world.allocate(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    return node;
  }

  @Test
  @DisplayName("AWS-47 a subnet is unknown before the first read, and a new one after the next")
  void subnets() {
    String first = world.home();
    String second = world.ec2.subnet("10.0.1.0/24");
    assertThat(world.provider.poolQuota()).isEmpty();
    world.node("node1");
    assertThat(world.provider.poolQuota()).containsOnlyKeys(new PoolId(first), new PoolId(second));
    String third = world.ec2.subnet("10.0.2.0/24");
    assertThat(world.provider.poolQuota()).doesNotContainKey(new PoolId(third));
    world.run(Duration.ofMinutes(2));
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.provider.poolQuota())
        .containsOnlyKeys(new PoolId(first), new PoolId(second), new PoolId(third));
  }

  @Test
  @DisplayName("AWS-101 a read of an instance ends no earlier than the lookup of limits")
  void limitsUnderWay() {
    NodeOperations node = four();
    CompletableFuture<Void> lookup = new CompletableFuture<>();
    world.limits.settled = lookup;
    CompletableFuture<SyncOutcome> read =
        world
            .provider
            .instanceSync(new InstanceId(world.instance("node1")), world.context())
            .toCompletableFuture();
    world.run(EniWorld.WHILE);
    assertThat(read).isNotDone();
    lookup.complete(null);
    assertThat(world.await(read)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(singles(node).size()).isEqualTo(4);
  }

  /** A listing whose answer takes a while: what is done meanwhile, EC2 did not list. */
  private CompletionStage<SyncOutcome> slowSync() {
    world.fate(
        "DescribeNetworkInterfaces", EffectFate.answered(EniWorld.TRAVEL, Duration.ofSeconds(5)));
    CompletionStage<SyncOutcome> listing = world.provider.resync(world.context());
    world.run(Duration.ofMillis(500));
    assertThat(world.requests).endsWith("DescribeNetworkInterfaces");
    assertThat(listing.toCompletableFuture().isDone()).isFalse();
    return listing;
  }

  @Test
  @DisplayName("AWS-51 AWS-52 what is released or attached while a full read is on its way counts")
  void changedMeanwhile() {
    NodeOperations node = four();
    world.run(Duration.ofMinutes(5));
    AddressSet before = singles(node);
    CompletionStage<SyncOutcome> listing = slowSync();
    ReleaseAction one = node.prepareIpRelease(1, before.first(3));
    assertThat(world.await(node.release(one, world.context())))
        .isInstanceOf(ReleaseOutcome.Released.class);
    world.grow(node, 2);
    assertThat(listing.toCompletableFuture().isDone()).isFalse();
    assertThat(world.await(listing)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(EniWorld.known(node).interfaces()).hasSize(2);
    assertThat(singles(node).size()).isEqualTo(5);
    assertThat(before.minus(singles(node))).isEqualTo(one.addresses());
  }

  /** An interface whose description no program understands. */
  private static AwsNetworkInterface spoilt(AwsNetworkInterface each) {
    return Copies.with(
        each,
        Map.of(
            "primary",
            Optional.empty(),
            "singles",
            AddressSet.of(),
            "unreadable",
            List.of("10.0.0.300")));
  }

  @Test
  @DisplayName("AWS-76 interfaces that cannot be read fail no full read; their place is taken")
  void unreadable() {
    world =
        new EniWorld(
            Samples.SETTINGS,
            ec2 ->
                EditedEc2.reads(
                    ec2,
                    (query, all) ->
                        all.stream()
                            .map(each -> each.description().equals("odd") ? spoilt(each) : each)
                            .toList()));
    String home = world.home();
    String instance = world.launch("node1", "m5.large", home);
    world.ec2.parked(home, "odd", Map.of());
    world.ec2.attach(world.ec2.parked(home, "odd", Map.of()), instance, 1);
    NodeOperations node = world.node("node1");
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(EniWorld.known(node).statistics().interfaces()).isEqualTo(2);
    assertThat(EniWorld.known(node).statistics().emptySlots()).isEqualTo(1);
    assertThat(EniWorld.known(node).interfaces()).as("for pods").hasSize(1);
    assertThat(world.allocate(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(1).singles()).isEmpty();
  }
}
