package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudClient;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.EniSpecSample;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The mock provider")
class MockAllocationTest {
  private static final Duration AGE = Duration.ofMinutes(1);

  private final ProviderWorld world = ProviderWorld.calm();

  private static InterfaceId litter(ProviderWorld world, String cluster) throws Exception {
    Map<String, String> tags =
        Map.of("tidemark.io/cluster", cluster, "tidemark.io/token", "t" + cluster);
    return new CloudClient(world.cloud).create(tags, 2, 0, "t" + cluster).id();
  }

  @Test
  @DisplayName("can do everything but IPv6 prefixes")
  void capabilities() {
    assertThat(world.provider.capabilities())
        .contains(Capability.RELEASE, Capability.PREFIX_DELEGATION, Capability.CIDR_RELEASE)
        .contains(Capability.STATIC_ADDRESS, Capability.NEW_INTERFACE, Capability.MANY_SUBNETS)
        .doesNotContain(Capability.IPV6_PREFIX);
  }

  @Test
  @DisplayName("moves what a pool has by its own answers, and corrects it at the next read")
  void quotas() {
    NodeOperations node = world.node("a", "m5.large");
    int free = world.cloud.subnet("subnet-a").freeAddresses();
    int blocks = world.cloud.subnet("subnet-a").freeBlocks();
    PoolId pool = new PoolId("subnet-a");
    assertThat(world.provider.poolQuota()).containsExactly(Map.entry(pool, quota(free, blocks)));

    world.allocate(node, 8);
    assertThat(world.provider.poolQuota()).containsEntry(pool, quota(free - 8, blocks));
    world.allocate(node, 1);
    world.allocate(node, 4);
    assertThat(world.provider.poolQuota())
        .containsEntry(pool, quota(world.cloud.subnet("subnet-a").freeAddresses(), blocks));
    world.resync();
    assertThat(world.provider.poolQuota().values())
        .extracting(PoolQuota::freeBlocks)
        .containsExactly(OptionalInt.of(blocks - 1));
  }

  private static PoolQuota quota(int free, int freeBlocks) {
    return new PoolQuota("zone-a", free, 0, OptionalInt.of(freeBlocks), false);
  }

  @Test
  @DisplayName("collects its own litter at the second sight a minute later, and nobody else's")
  void collectsLitter() throws Exception {
    InterfaceId own = litter(world, "test");
    InterfaceId foreign = litter(world, "other");
    InterfaceId untagged = new CloudClient(world.cloud).create(Map.of(), 0, 0, "untagged").id();

    world.resync();
    world.pass(AGE.minusNanos(1));
    world.resync();
    assertThat(world.cloud.networkInterface(own)).isPresent();
    world.pass(Duration.ofNanos(1));
    world.resync();
    assertThat(world.cloud.networkInterface(own)).isEmpty();
    world.pass(AGE.multipliedBy(2));
    world.resync();
    assertThat(world.cloud.networkInterface(foreign)).isPresent();
    assertThat(world.cloud.networkInterface(untagged)).isPresent();
  }

  @Test
  @DisplayName("tries again to collect what could not be deleted")
  void collectsLater() throws Exception {
    ProviderWorld bad = ProviderWorld.withFaults("DeleteNetworkInterface#1=fail:Unavailable");
    InterfaceId own = litter(bad, "test");
    bad.resync();
    bad.pass(AGE);
    bad.resync();
    assertThat(bad.cloud.networkInterface(own)).isPresent();
    bad.resync();
    assertThat(bad.cloud.networkInterface(own)).isEmpty();
  }

  @Test
  @DisplayName("an instance that the cloud terminated is not found, at once and for certain")
  void terminated() {
    NodeOperations node = world.node("a", "m5.large");
    world.cloud.setup().terminate("i-a");

    assertThat(world.sync("i-a")).isEqualTo(new SyncOutcome.InstanceNotFound());
    assertThat(node.inventory()).isEqualTo(new Inventory.InstanceMissing(true));
    assertThat(world.sync("i-none")).isEqualTo(new SyncOutcome.InstanceNotFound());
  }

  @Test
  @DisplayName("a full read forgets only instances that the cloud itself denies")
  void fullRead() {
    NodeOperations stays = world.node("a", "m5.large");
    NodeOperations goes = world.node("b", "m5.large");
    world.cloud.setup().terminate("i-b");

    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(stays.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(goes.inventory()).isEqualTo(new Inventory.InstanceMissing(true));
  }

  @Test
  @DisplayName("N14 a stopped instance stays known")
  void stopped() {
    NodeOperations node = world.node("a", "m5.large");
    world.cloud.setup().running("i-a", false);
    world.resync();
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("a deleted node's instance is forgotten and found again by a read")
  void deletion() {
    NodeOperations node = world.node("a", "m5.large");
    world.provider.deleteInstance(new InstanceId("i-a"));
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);
    assertThat(world.cloud.isRunning("i-a")).isPresent();
    world.sync("i-a");
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("C-AWS-16 binds a public address by tags, once, to the primary interface")
  void staticAddress() {
    NodeOperations node = world.node("a", "m5.large");
    NodeOperations other = world.node("b", "m5.large");
    world.allocate(node, 9);
    world.allocate(node, 2);
    IpAddress address = IpAddress.parse("192.0.2.254");
    Map<String, String> tags = Map.of("some-eip-tag", "some-value");
    world.cloud.setup().publicAddress(address, tags);

    AllocationOutcome first = bind(node, tags);
    assertThat(((AllocationOutcome.Allocated) first).staticAddress()).contains(address);
    assertThat(ProviderWorld.known(node).statistics().staticAddress()).contains(address);
    assertThat(((AllocationOutcome.Allocated) bind(node, tags)).staticAddress()).contains(address);
    assertThat(bind(other, tags)).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(world.cloud.attachedTo("i-a").get(0).publicAddress()).contains(address);
    assertThat(world.cloud.attachedTo("i-a").get(1).publicAddress()).isEmpty();
    world.resync();
    assertThat(ProviderWorld.known(node).statistics().staticAddress()).contains(address);
  }

  private AllocationOutcome bind(NodeOperations node, Map<String, String> tags) {
    return world.ended(node.allocateStaticAddress(tags, world.context()));
  }

  @Test
  @DisplayName("C-AWS-9 an interface that carries the excluded tags gets and offers nothing")
  void excludedByTags() {
    EniSpec excluding = EniSpecSample.of("m5.large").excludeTags(Map.of("no", "pods")).build();
    world.cloud.setup().launch("i-a", "m5.large", "subnet-a", Map.of("no", "pods", "x", "y"));
    NodeOperations node =
        world.nodeOnly("a", excluding, new io.tidemark.spi.NodeSettings("a", false, true, false));

    world.allocate(node, 8);
    world.allocate(node, 7);

    assertThat(world.cloud.attachedTo("i-a").get(0).singles().isEmpty()).isTrue();
    assertThat(ProviderWorld.known(node).interfaces()).hasSize(1);
    assertThat(ProviderWorld.known(node).statistics().interfaces()).isEqualTo(2);
    assertThat(ProviderWorld.known(node).statistics().capacityIpv4()).isEqualTo(18);
  }

  @Test
  @DisplayName("N12 a node of another cloud is not touched")
  void otherCloud() {
    world.node("a", "m5.large");
    var parsed =
        io.tidemark.resource.NodeResourceJson.parse(
            """
            {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"z"},
             "spec":{"instance-id":"i-a","azure":{"interface-name":"eth0"}}}
            """,
            "test");
    NodeOperations node =
        world.provider.createNode(
            new io.tidemark.spi.NodeSettings("z", false, true, false),
            parsed.match(
                valid -> valid,
                invalid -> {
                  throw new AssertionError(invalid);
                }));

    Inventory.Untouchable untouchable = (Inventory.Untouchable) node.inventory();
    assertThat(untouchable.reason().reason()).isEqualTo(BlockedReason.OTHER_CLOUD);
    assertThat(untouchable.reason().detail()).contains("azure");
    assertThat(node.prepareIpAllocation().blocked()).contains(untouchable.reason());
  }
}
