package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.ProviderWorld.addresses;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The embedded cloud")
class ManifestAdoptionTest {
  private final ProviderWorld world = ProviderWorld.embedded(Map.of());

  /** As core does: create, then read the instance. */
  private static NodeOperations upsert(ProviderWorld at, NodeResource resource) {
    NodeOperations node =
        at.provider.createNode(new NodeSettings(resource.name(), true, true, false), resource);
    at.sync(resource.instanceId().orElseThrow());
    return node;
  }

  private NodeOperations upsert(NodeSample sample) {
    return upsert(world, sample.build());
  }

  private void delete(String instanceId) {
    world.provider.deleteInstance(new InstanceId(instanceId));
  }

  private static NodeSample sample(String name) {
    return Samples.node(name).instanceId("i-" + name).eniSpec(Samples.eniSpec("m5.large"));
  }

  /** The manifest of node a, with these members of {@code status.eni.enis}. */
  private static NodeResource showing(String enis) {
    return Samples.parsed(
        """
        {"apiVersion": "cilium.io/v2", "kind": "CiliumNode", "metadata": {"name": "a"},
         "spec": {"instance-id": "i-a", "eni": {"instance-type": "m5.large",
           "first-interface-index": 0, "node-subnet-id": "subnet-a", "vpc-id": "vpc-a",
           "availability-zone": "zone-a"}},
         "status": {"eni": {"enis": {%s}}}}
        """
            .formatted(enis));
  }

  private static EniStatus.Eni first(NodeOperations node, NodeResource resource) {
    EniStatus status = node.withProviderStatus(resource).eniStatus().orElseThrow();
    return status.enis().values().iterator().next();
  }

  private static void assertRefused(NodeOperations node, BlockedReason reason, String... words) {
    Inventory.Untouchable untouchable = (Inventory.Untouchable) node.inventory();
    assertThat(untouchable.reason().reason()).isEqualTo(reason);
    assertThat(untouchable.reason().detail()).contains(words);
    assertThat(node.prepareIpAllocation().blocked()).contains(untouchable.reason());
  }

  @Test
  @DisplayName("makes an instance and its network for a manifest without status, always the same")
  void madeNetworks() {
    NodeResource resource = sample("a").build();
    EniStatus.Eni own = first(upsert(world, resource), resource);

    assertThat(first(upsert(ProviderWorld.embedded(Map.of()), resource), resource)).isEqualTo(own);
    assertThat(own.number()).isZero();
    assertThat(own.subnet().id()).isEqualTo("subnet-a");
    assertThat(own.availabilityZone()).isEqualTo("zone-a");
    assertThat(own.vpc().id()).isEqualTo("vpc-a");
    assertThat(own.vpc().primaryCidr().orElseThrow())
        .matches(network -> network.contains(own.subnet().cidr().orElseThrow()));
  }

  @Test
  @DisplayName("fills anybody's manifest, with usual limits for a type that it does not know")
  void nameless() {
    NodeOperations node = upsert(Samples.node("a").instanceId("i-a").eniSpec(EniSpec.EMPTY));

    assertThat(world.allocate(node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(ProviderWorld.size(node)).isEqualTo(16);
    assertThat(world.allocate(node, 500)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.allocate(node, 500)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  @DisplayName("uses configured subnets instead, and says when one has no room")
  void configuredSubnets() {
    ProviderWorld configured =
        ProviderWorld.embedded(
            Map.of("mock-subnets", "subnet-a=192.168.4.0/28;zone=zone-a;vpc=vpc-a"));
    NodeResource resource = sample("a").build();
    NodeOperations node = upsert(configured, resource);

    assertThat(first(node, resource).subnet().cidr()).contains(Cidr.parse("192.168.4.0/28"));
    assertThat(first(node, resource).vpc().primaryCidr()).contains(Cidr.parse("192.168.0.0/16"));
    configured.allocate(node, 9);
    upsert(configured, sample("b").build());
    assertRefused(
        upsert(configured, sample("c").build()), BlockedReason.SUBNET_EXHAUSTED, "TM-9002");

    ProviderWorld wide =
        ProviderWorld.embedded(Map.of("mock-subnets", "subnet-a=10.0.0.0/8;zone=zone-a;vpc=vpc-a"));
    assertThat(upsert(wide, sample("a").build()).inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("takes what a status shows, field by field; addresses only in the pool are not it")
  void adoptsStatus() {
    NodeResource shown =
        showing(
            """
            "eni-1": {"id": "eni-1", "ip": "10.0.255.10", "mac": "02:00:00:00:00:00", "number": 0,
              "availability-zone": "zone-a", "description": "described",
              "subnet": {"id": "subnet-a", "cidr": "10.0.0.0/16"},
              "vpc": {"id": "vpc-a", "primary-cidr": "10.0.0.0/16"},
              "addresses": ["10.0.1.1", "10.0.1.2"], "public-ip": "192.0.2.9",
              "security-groups": ["sg-7"], "tags": {"k": "v"}},
            "eni-2": {"id": "eni-2", "ip": "10.0.255.11", "mac": "02:00:00:00:00:01", "number": 1,
              "availability-zone": "zone-a", "subnet": {"id": "subnet-a", "cidr": "10.0.0.0/16"},
              "vpc": {"id": "vpc-a", "primary-cidr": "10.0.0.0/16"}, "addresses": ["10.0.2.1"]}
            """);
    NodeResource resource =
        shown.withPool(
            PodIpPool.of(Map.of("eni-1", addresses("10.0.1.1", "10.0.1.2", "10.0.1.3"))));
    NodeOperations node = upsert(world, resource);

    assertThat(addresses(node)).isEqualTo(addresses("10.0.1.1", "10.0.1.2", "10.0.2.1"));
    assertThat(node.withProviderStatus(resource).eniStatus()).isEqualTo(resource.eniStatus());
    world.allocate(node, 100);
    world.allocate(node, 100);
    assertThat(addresses(node).size()).isGreaterThan(100);
  }

  @Test
  @DisplayName("takes blocks as blocks")
  void adoptsBlocks() {
    Cidr block = Cidr.parse("10.0.1.16/28");
    String addresses =
        AddressSet.ofRange(block).toList().stream()
            .map(address -> '"' + address.toString() + '"')
            .collect(Collectors.joining(","));
    NodeResource resource =
        showing(
            """
            "eni-1": {"id": "eni-1", "ip": "10.0.255.10", "mac": "02:00:00:00:00:00", "number": 0,
              "availability-zone": "zone-a", "subnet": {"id": "subnet-a", "cidr": "10.0.0.0/16"},
              "vpc": {"id": "vpc-a", "primary-cidr": "10.0.0.0/16"},
              "addresses": [%s], "prefixes": ["10.0.1.16/28"]}
            """
                .formatted(addresses));
    NodeOperations node = upsert(world, resource);

    assertThat(ProviderWorld.known(node).interfaces().get(0).blocks()).containsExactly(block);
    assertThat(ProviderWorld.known(node).interfaces().get(0).singles().isEmpty()).isTrue();
    assertThat(node.withProviderStatus(resource).eniStatus()).isEqualTo(resource.eniStatus());
  }

  @Test
  @DisplayName("leaves IPv6 addresses alone, those of pods on a shown interface too")
  void ipv6() {
    NodeResource shown = sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1", "fd00::1")).build();
    Map<IpAddress, UsedAddress> used =
        Map.of(IpAddress.parse("fd00::1"), new UsedAddress("pod", ""));
    NodeOperations node = upsert(world, shown.withUsed(new TreeMap<>(used)));

    assertThat(addresses(node)).isEqualTo(addresses("10.0.1.1"));
  }

  @Test
  @DisplayName("gives an adopted address to nobody else, and frees it when its manifest goes")
  void adoptedAddressesAreTaken() {
    NodeSample shown = sample("a").eni(Samples.eni("eni-1", 0, "10.0.0.4", "10.0.0.5"));
    NodeOperations one = upsert(shown);
    NodeOperations other = upsert(sample("b"));
    world.allocate(other, 8);
    assertThat(addresses(one).intersects(addresses(other))).isFalse();

    delete("i-a");
    NodeOperations third = upsert(sample("c").eni(Samples.eni("eni-9", 0, "10.0.0.4")));
    assertThat(addresses(third)).isEqualTo(addresses("10.0.0.4"));
  }

  @Test
  @DisplayName("a manifest without status does not take what a later one shows, before a read")
  void bareComesLast() {
    NodeSettings settings = new NodeSettings("a", true, true, false);
    NodeOperations bare = world.provider.createNode(settings, sample("a").build());
    NodeOperations live = upsert(sample("b").eni(Samples.eni("eni-1", 0, "10.0.0.4")));
    world.sync("i-a");

    assertThat(addresses(live)).isEqualTo(addresses("10.0.0.4"));
    assertThat(bare.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("TM-1209 what another node holds is refused, and taken when that node goes")
  void claimed() {
    NodeOperations one = upsert(sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1")));
    NodeOperations two = upsert(sample("b").eni(Samples.eni("eni-1", 0, "10.0.1.7")));
    NodeOperations three = upsert(sample("c").eni(Samples.eni("eni-2", 1, "10.0.1.1", "10.0.1.8")));

    assertThat(one.inventory()).isInstanceOf(Inventory.Known.class);
    String claimed = "is also claimed by node a";
    assertRefused(two, BlockedReason.DUPLICATE_CLAIM, "interface eni-1 " + claimed);
    assertRefused(three, BlockedReason.DUPLICATE_CLAIM, "address 10.0.1.1 " + claimed);

    delete("i-a");
    world.sync("i-b");
    world.sync("i-c");
    assertThat(addresses(two)).isEqualTo(addresses("10.0.1.7"));
    assertThat(addresses(three)).isEqualTo(addresses("10.0.1.1", "10.0.1.8"));
  }

  @Test
  @DisplayName("TM-1209 an address on two interfaces of one manifest is refused; corrected, taken")
  void twice() {
    NodeSample one = sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1"));
    NodeOperations node = upsert(one.eni(Samples.eni("eni-2", 1, "10.0.1.1", "10.0.1.2")));
    assertRefused(node, BlockedReason.DUPLICATE_CLAIM, "address 10.0.1.1 is in use already");

    node.updatedNode(one.eni(Samples.eni("eni-2", 1, "10.0.1.2")).build());
    world.sync("i-a");
    assertThat(addresses(node)).isEqualTo(addresses("10.0.1.1", "10.0.1.2"));
  }

  @Test
  @DisplayName("of two manifests of one instance the second waits, and has it when the first goes")
  void sameInstance() {
    NodeResource second = sample("b").instanceId("i-a").build();
    NodeSettings settings = new NodeSettings("a", true, true, false);
    NodeOperations one = world.provider.createNode(settings, sample("a").build());
    NodeOperations two = upsert(world, second);
    assertThat(one.inventory()).isInstanceOf(Inventory.Known.class);
    assertRefused(two, BlockedReason.DUPLICATE_CLAIM, "instance i-a is also claimed by node a");

    delete("i-a");
    two.updatedNode(second);
    world.sync("i-a");
    assertThat(two.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("TM-9001 what no cloud could hold is left as it stands; corrected, it is taken")
  @CsvSource({
    "an address outside of the subnet, 10.0.0.0/16, 10.9.1.1",
    "the first address of the subnet,  10.0.0.0/16, 10.0.0.0",
    "a subnet that is too small,       10.0.1.0/30, 10.0.1.1",
    "a subnet of another family,       2001:db8::/64, 10.0.1.1",
  })
  void contradiction(String why, String cidr, String address) {
    NodeResource wrong = shown(cidr, address);
    NodeOperations node = upsert(world, wrong);
    assertRefused(node, BlockedReason.INVALID_RESOURCE, "TM-9001 MANIFEST_CONTRADICTS: ");
    assertThat(node.withProviderStatus(wrong)).isEqualTo(wrong);

    node.updatedNode(shown("10.0.0.0/16", "10.0.1.1"));
    world.sync("i-a");
    assertThat(addresses(node)).as(why).isEqualTo(addresses("10.0.1.1"));
  }

  private static NodeResource shown(String cidr, String address) {
    return showing(
        """
        "eni-1": {"id": "eni-1", "subnet": {"id": "subnet-a", "cidr": "%s"}, "addresses": ["%s"]}
        """
            .formatted(cidr, address));
  }

  @Test
  @DisplayName("TM-9001 an address of a pod that the status does not show")
  void usedElsewhere() {
    Map<IpAddress, UsedAddress> used =
        Map.of(IpAddress.parse("10.0.1.9"), new UsedAddress("pod", ""));
    NodeResource resource = sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1")).build();

    assertRefused(
        upsert(world, resource.withUsed(new TreeMap<>(used))),
        BlockedReason.INVALID_RESOURCE,
        "status.ipam.used: [10.0.1.9]");
    assertRefused(
        upsert(world, sample("b").build().withUsed(new TreeMap<>(used))),
        BlockedReason.INVALID_RESOURCE,
        "status.ipam.used: [10.0.1.9]");
  }

  @Test
  @DisplayName("N12 a node of another cloud is adopted only when that section is gone")
  void otherCloudFirst() {
    NodeResource azure =
        Samples.parsed(
            """
            {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"a"},
             "spec":{"instance-id":"i-a","azure":{"interface-name":"eth0"}}}
            """);
    NodeOperations node = upsert(world, azure);
    assertRefused(node, BlockedReason.OTHER_CLOUD, "azure");

    node.updatedNode(sample("a").build());
    world.sync("i-a");
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
  }
}
