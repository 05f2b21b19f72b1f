package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.spi.AllocationAction;
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
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is known of EC2, over the strict EC2 (provider-aws 4, 10.5)")
class InventoryOverEc2Test {
  private static final Duration SLOW = Duration.ofSeconds(5);

  private static AllocationOutcome allocate(EniWorld world, NodeOperations node, int addresses) {
    AllocationAction plan = node.prepareIpAllocation();
    return world.await(
        node.allocateIps(
            plan.with(plan.ipv4().wanting(addresses, OptionalInt.empty()), 0), world.context()));
  }

  private static AddressSet singles(NodeOperations node) {
    AddressSet all = AddressSet.of();
    for (AttachedInterface each : EniWorld.known(node).interfaces()) {
      all = all.plus(each.singles());
    }
    return all;
  }

  /** A world with a node of four addresses. */
  private static NodeOperations four(EniWorld world) {
    String home = world.ec2.subnet("10.0.0.0/24");
    world.launch("node1", "m5.large", home);
    NodeOperations node = world.node("node1", world.spec("m5.large", home).build(), false, false);
    assertThat(allocate(world, node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    return node;
  }

  @Test
  @DisplayName("AWS-47 a subnet is unknown before the first read, and a new one after the next")
  void subnets() {
    EniWorld world = new EniWorld();
    String first = world.ec2.subnet("10.0.0.0/24");
    String second = world.ec2.subnet("10.0.1.0/24");
    assertThat(world.provider.poolQuota()).isEmpty();
    world.launch("node1", "m5.large", first);
    world.node("node1", world.spec("m5.large", first).build(), false, false);
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
    EniWorld world = new EniWorld();
    NodeOperations node = four(world);
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
  private static CompletionStage<SyncOutcome> slowSync(EniWorld world) {
    world.fates(
        operation ->
            EffectFate.answered(
                EniWorld.TRAVEL,
                operation.equals("DescribeNetworkInterfaces") ? SLOW : EniWorld.TRAVEL));
    CompletionStage<SyncOutcome> listing = world.provider.resync(world.context());
    world.run(Duration.ofMillis(500));
    assertThat(world.requests).endsWith("DescribeNetworkInterfaces");
    assertThat(listing.toCompletableFuture().isDone()).isFalse();
    return listing;
  }

  @Test
  @DisplayName("AWS-51 an address released while a full read is on its way stays released")
  void releasedMeanwhile() {
    EniWorld world = new EniWorld();
    NodeOperations node = four(world);
    world.run(Duration.ofMinutes(5));
    AddressSet before = singles(node);
    assertThat(before.size()).isEqualTo(4);
    CompletionStage<SyncOutcome> listing = slowSync(world);
    ReleaseAction one = node.prepareIpRelease(1, before.first(3));
    assertThat(world.await(node.release(one, world.context())))
        .isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(listing.toCompletableFuture().isDone()).isFalse();
    assertThat(world.await(listing)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(singles(node)).isEqualTo(before.minus(one.addresses()));
    assertThat(singles(node).size()).isEqualTo(3);
  }

  @Test
  @DisplayName("AWS-52 an interface attached while a full read is on its way stays known")
  void attachedMeanwhile() {
    EniWorld world = new EniWorld();
    NodeOperations node = four(world);
    world.run(Duration.ofMinutes(5));
    CompletionStage<SyncOutcome> listing = slowSync(world);
    AllocationAction plan = node.prepareIpAllocation();
    assertThat(
            world.await(
                node.createInterface(
                    plan.with(plan.ipv4().wanting(2, OptionalInt.empty()), 0), world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(listing.toCompletableFuture().isDone()).isFalse();
    assertThat(world.await(listing)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(EniWorld.known(node).interfaces()).hasSize(2);
    assertThat(singles(node).size()).isEqualTo(6);
  }

  @Test
  @DisplayName("AWS-90 own writes survive an instance read that shows the time before them")
  void staleRead() {
    EniWorld world = new EniWorld();
    NodeOperations node = four(world);
    world.run(Duration.ofMinutes(5));
    world.ec2.emulator().readsBehind(Optional.of(Duration.ofSeconds(15)));
    assertThat(allocate(world, node, 3)).isInstanceOf(AllocationOutcome.Allocated.class);
    AddressSet seven = singles(node);
    assertThat(seven.size()).isEqualTo(7);
    world.sync("node1");
    assertThat(world.attached("node1")).as("what the stale read shows").isEqualTo(4);
    assertThat(singles(node)).isEqualTo(seven);
    ReleaseAction two = node.prepareIpRelease(2, AddressSet.of());
    assertThat(world.await(node.release(two, world.context())))
        .isInstanceOf(ReleaseOutcome.Released.class);
    world.sync("node1");
    assertThat(singles(node)).isEqualTo(seven.minus(two.addresses()));
    world.ec2.emulator().readsBehind(Optional.of(Duration.ZERO));
    world.run(Duration.ofMinutes(5));
    assertThat(world.sync("node1")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(singles(node)).isEqualTo(seven.minus(two.addresses()));
  }

  /** Spoils what EC2 says of interfaces that are described so. */
  private static UnaryOperator<Ec2Api> spoiling(String description) {
    return ec2 ->
        new NamedEc2Api(ec2) {
          @Override
          public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
              InterfaceQuery query, Optional<String> token) throws Ec2Failure {
            AwsPage<AwsNetworkInterface> page = super.describeNetworkInterfaces(query, token);
            return new AwsPage<>(
                page.items().stream()
                    .map(each -> each.description().equals(description) ? spoilt(each) : each)
                    .toList(),
                page.next());
          }
        };
  }

  private static AwsNetworkInterface spoilt(AwsNetworkInterface each) {
    return new AwsNetworkInterface(
        each.id(),
        each.type(),
        each.status(),
        each.subnet(),
        each.vpcId(),
        each.availabilityZone(),
        each.mac(),
        each.description(),
        Optional.empty(),
        AddressSet.of(),
        List.of(),
        AddressSet.of(),
        Optional.empty(),
        List.of(),
        each.securityGroups(),
        each.tags(),
        each.attachment(),
        Optional.empty(),
        each.tracking(),
        List.of("10.0.0.300"));
  }

  @Test
  @DisplayName("AWS-76 interfaces that cannot be read fail no full read; their place is taken")
  void unreadable() {
    EniWorld world = new EniWorld(Samples.SETTINGS, spoiling("odd"));
    String home = world.ec2.subnet("10.0.0.0/24");
    String instance = world.launch("node1", "m5.large", home);
    world.ec2.parked(home, "odd", Map.of());
    world.ec2.attach(world.ec2.parked(home, "odd", Map.of()), instance, 1);
    NodeOperations node = world.node("node1", world.spec("m5.large", home).build(), false, false);
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(EniWorld.known(node).statistics().interfaces()).isEqualTo(2);
    assertThat(EniWorld.known(node).statistics().emptySlots()).isEqualTo(1);
    assertThat(EniWorld.known(node).interfaces()).as("for pods").hasSize(1);
    assertThat(allocate(world, node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(1).singles()).isEmpty();
  }
}
