package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.CreateInterfaceRequest;
import io.tidemark.provider.mock.cloud.Fault;
import io.tidemark.provider.mock.cloud.FaultRule;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.EniSpecSample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The mock provider")
class MockAllocationTest {
  private static final CloudOperation DELETE = CloudOperation.DELETE_NETWORK_INTERFACE;

  private final ProviderWorld world = ProviderWorld.calm();

  private static String litter(ProviderWorld world, String cluster) throws Exception {
    return world
        .cloud
        .createNetworkInterface(
            new CreateInterfaceRequest(
                "subnet-a",
                "litter",
                List.of(),
                Map.of(MockTags.CLUSTER, cluster, MockTags.INSTANCE, "i-x", MockTags.TOKEN, "t"),
                2,
                0,
                ""))
        .id();
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
    int free = world.cloud.subnet("subnet-a").orElseThrow().freeAddresses();
    int blocks = world.cloud.subnet("subnet-a").orElseThrow().freeBlocks();
    PoolId pool = new PoolId("subnet-a");
    assertThat(world.provider.poolQuota()).containsExactly(Map.entry(pool, quota(free, blocks)));

    world.allocate(node, 8);
    assertThat(world.provider.poolQuota()).containsEntry(pool, quota(free - 8, blocks));
    world.allocate(node, 1);
    world.allocate(node, 4);
    assertThat(world.provider.poolQuota())
        .containsEntry(
            pool, quota(world.cloud.subnet("subnet-a").orElseThrow().freeAddresses(), blocks));
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
    String own = litter(world, "test");
    String foreign = litter(world, "other");
    String untagged =
        world
            .cloud
            .createNetworkInterface(
                new CreateInterfaceRequest("subnet-a", "", List.of(), Map.of(), 0, 0, ""))
            .id();

    world.resync();
    world.pass(InterfaceCollection.AGE.minusNanos(1));
    world.resync();
    assertThat(world.cloud.networkInterface(own)).isPresent();
    world.pass(Duration.ofNanos(1));
    world.resync();
    assertThat(world.cloud.networkInterface(own)).isEmpty();
    world.pass(InterfaceCollection.AGE.multipliedBy(2));
    world.resync();
    assertThat(world.cloud.networkInterface(foreign)).isPresent();
    assertThat(world.cloud.networkInterface(untagged)).isPresent();
  }

  @Test
  @DisplayName("tries again to collect what could not be deleted")
  void collectsLater() throws Exception {
    ProviderWorld bad =
        ProviderWorld.withFaults(
            FaultRule.nth(DELETE, 1, new Fault.Refuse(CloudErrorCode.UNAVAILABLE, "later")));
    String own = litter(bad, "test");
    bad.resync();
    bad.pass(InterfaceCollection.AGE);
    bad.resync();
    assertThat(bad.cloud.networkInterface(own)).isPresent();
    bad.resync();
    assertThat(bad.cloud.networkInterface(own)).isEmpty();
  }

  @Test
  @DisplayName("an interface of a terminated instance that was not marked is collected")
  void collectsAfterTermination() {
    ProviderWorld bad =
        ProviderWorld.withFaults(
            FaultRule.always(
                CloudOperation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE,
                new Fault.Refuse(CloudErrorCode.UNAVAILABLE, "never")));
    NodeOperations node = bad.node("a", "m5.large");
    bad.allocate(node, 9);
    bad.allocate(node, 3);
    bad.cloud.setup().terminate("i-a");
    assertThat(bad.cloud.inspect().interfaces()).hasSize(1);

    bad.resync();
    bad.pass(InterfaceCollection.AGE);
    bad.resync();
    assertThat(bad.cloud.inspect().interfaces()).isEmpty();
  }

  @Test
  @DisplayName("marks only its own interfaces, as the node wants them")
  void marks() throws Exception {
    NodeOperations node = world.node("a", "m5.large");
    world.allocate(node, 9);
    world.allocate(node, 3);
    String foreign =
        world
            .cloud
            .createNetworkInterface(
                new CreateInterfaceRequest("subnet-a", "", List.of(), Map.of(), 0, 0, ""))
            .id();
    world.cloud.attachNetworkInterface(foreign, "i-a", 2);
    String own = world.cloud.attachedTo("i-a").get(1).id();
    world.cloud.modifyDeleteOnTermination(own, false);

    world.sync("i-a");
    world.pass(Duration.ofMinutes(3));
    world.sync("i-a");

    assertThat(marked(own)).isTrue();
    assertThat(marked(foreign)).isFalse();
  }

  private boolean marked(String eni) {
    return world
        .cloud
        .networkInterface(eni)
        .flatMap(NetworkInterface::attachment)
        .orElseThrow()
        .deleteOnTermination();
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
    world.cloud.setup().instanceState("i-a", Instance.State.STOPPED);
    world.resync();
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("a deleted node's instance is forgotten and found again by a read")
  void deletion() {
    NodeOperations node = world.node("a", "m5.large");
    world.provider.deleteInstance(new InstanceId("i-a"));
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);
    assertThat(world.cloud.instance("i-a")).isPresent();
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
    world.cloud.setup().publicAddress(new PublicAddress("alloc", address, tags, Optional.empty()));

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
    world
        .cloud
        .setup()
        .launch(
            new io.tidemark.provider.mock.cloud.InstanceLaunch(
                "i-a", "m5.large", "subnet-a", List.of("sg-1"), Map.of("no", "pods", "x", "y")));
    NodeOperations node =
        world.nodeOnly("a", excluding, new io.tidemark.spi.NodeSettings("a", false, true, false));

    world.allocate(node, 8);
    world.allocate(node, 7);

    assertThat(world.cloud.attachedTo("i-a").get(0).singles().isEmpty()).isTrue();
    assertThat(world.cloud.attachedTo("i-a").get(1).securityGroups()).containsExactly("sg-1");
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
