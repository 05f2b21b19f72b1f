package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.testing.EniSpecSample;
import io.tidemark.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Planning on the mock cloud")
class MockRulesTest {
  private final ProviderWorld world = ProviderWorld.calm();

  private static EniSpec choosing(List<String> ids, Map<String, String> tags, String home) {
    return EniSpecSample.of("m5.large")
        .firstIndex(OptionalInt.of(1))
        .subnetIds(ids)
        .subnetTags(tags)
        .nodeSubnet(home)
        .build();
  }

  private NodeOperations node(EniSpec spec) {
    return world.node("a", spec, new NodeSettings("a", false, true, false));
  }

  private Optional<String> poolFor(EniSpec spec) {
    return node(spec).prepareIpAllocation().pool().map(PoolId::text);
  }

  private Optional<BlockedReason> blocked(NodeOperations node) {
    return node.prepareIpAllocation().blocked().map(why -> why.reason());
  }

  @Test
  @DisplayName("D-18 the subnet with most free addresses, ties by id")
  void mostFree() {
    world.subnet("subnet-c", "10.0.32.0/19").subnet("subnet-b", "10.0.64.0/19");

    assertThat(poolFor(choosing(List.of(), Map.of(), ""))).contains("subnet-b");
  }

  @Test
  @DisplayName("the node's own subnet while it holds a whole interface")
  void ownSubnet() {
    world.subnet("subnet-b", "10.0.32.0/19");
    assertThat(poolFor(choosing(List.of(), Map.of(), "subnet-a"))).contains("subnet-a");
  }

  @Test
  @DisplayName("another subnet when the node's own holds no whole interface any more")
  void ownSubnetNearlyFull() {
    world.subnet("subnet-b", "10.0.32.0/28");
    world.subnet("subnet-c", "10.0.33.0/24");
    world.cloud.state().occupy("subnet-b", ProviderWorld.addresses("10.0.32.4", "10.0.32.5"));

    assertThat(poolFor(choosing(List.of("subnet-b", "subnet-c"), Map.of(), "subnet-b")))
        .contains("subnet-c");
  }

  @Test
  @DisplayName("only the subnets that the node names, full ones included")
  void hardConstraint() {
    world.subnet("subnet-b", "10.0.32.0/28");
    NodeOperations node = node(choosing(List.of("subnet-b"), Map.of(), "subnet-a"));
    assertThat(node.prepareIpAllocation().pool()).contains(new PoolId("subnet-b"));

    world.cloud.state().occupy("subnet-b", AddressSet.ofRange(Cidr.parse("10.0.32.0/28")));
    world.resync();
    assertThat(blocked(node)).contains(BlockedReason.SUBNET_EXHAUSTED);
  }

  @Test
  @DisplayName("only the subnets that carry the node's tags")
  void byTags() {
    world.cloud.state().subnet(subnet("tagged", "vpc-a", "zone-a", Map.of("k", "v")));

    assertThat(poolFor(choosing(List.of(), Map.of("k", "v"), "subnet-a"))).contains("tagged");
  }

  private static MockSubnet subnet(
      String id, String network, String zone, Map<String, String> tags) {
    return new MockSubnet(id, network, List.of(), zone, Cidr.parse("10.0.32.0/26"), tags);
  }

  @Test
  @DisplayName("no subnet of another zone or VPC")
  void zoneAndVpc() {
    world.cloud.state().subnet(subnet("far", "vpc-a", "zone-b", Map.of()));
    world.cloud.state().subnet(subnet("foreign", "vpc-b", "zone-a", Map.of()));
    NodeOperations node = node(choosing(List.of("far", "foreign"), Map.of(), ""));

    assertThat(blocked(node)).contains(BlockedReason.NO_SUBNET);
    assertThat(node.prepareIpAllocation().blocked().orElseThrow().detail()).contains("zone-a");
  }

  @Test
  @DisplayName("says when the type carries no further interface")
  void outOfInterfaces() {
    NodeOperations node = world.node("a", "t3.micro");
    world.allocate(node, 1);
    world.allocate(node, 1);

    assertThat(blocked(node)).contains(BlockedReason.OUT_OF_INTERFACES);
    assertThat(node.prepareIpAllocation().emptyInterfaceSlots()).isZero();
  }

  @Test
  @DisplayName(
      "gives an unknown instance type the usual limits, and says when an instance is missing")
  void unknown() {
    NodeOperations unknownType = world.node("a", "x9.huge");
    NodeOperations missing =
        world.nodeOnly("b", Samples.eniSpec("m5.large"), new NodeSettings("b", false, true, false));

    assertThat(ProviderWorld.known(unknownType).statistics().capacityIpv4()).isEqualTo(4 * 14);
    assertThat(unknownType.prepareIpAllocation().ipv4().roomOnInterface()).isEqualTo(14);
    assertThat(missing.inventory()).isEqualTo(new Inventory.InstanceMissing(false));
    assertThat(blocked(missing)).contains(BlockedReason.INSTANCE_MISSING);
  }
}
