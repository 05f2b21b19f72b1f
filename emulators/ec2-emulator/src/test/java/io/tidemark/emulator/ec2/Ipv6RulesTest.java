package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("IPv6 and CIDR reservations follow EC2's rules")
class Ipv6RulesTest {
  @Test
  @DisplayName("Addresses and /80 prefixes come, are listed, go, and leave IPv4 counts alone")
  void assignment() {
    World world = new World();
    String subnet = world.dualStack();
    String id = world.interfaceId(subnet, "Ipv6PrefixCount=1");
    assertThat(World.texts(world.shown(id).orElseThrow(), "ipv6PrefixSet", "ipv6Prefix"))
        .containsExactly("2600:1f18:0:100:1::/80");
    world.call("AssignIpv6Addresses", "NetworkInterfaceId=" + id, "Ipv6AddressCount=2");
    assertThat(world.shown(id).orElseThrow().structures("ipv6AddressesSet")).hasSize(2);
    assertThat(world.available(subnet)).isEqualTo(250);
    world.call(
        "UnassignIpv6Addresses", "NetworkInterfaceId=" + id, "Ipv6Prefix.1=2600:1f18:0:100:1::/80");
    String next = world.interfaceId(subnet, "Ipv6PrefixCount=1");
    assertThat(World.texts(world.shown(next).orElseThrow(), "ipv6PrefixSet", "ipv6Prefix"))
        .containsExactly("2600:1f18:0:100:1::/80");
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + id);
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + next);
    world.call("DeleteSubnet", "SubnetId=" + subnet);
  }

  @Test
  @DisplayName("Singles avoid reservations; prefixes come from theirs first; who names, gets")
  void reservations() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/25");
    reserve(world, subnet, "10.0.0.0/28", "explicit");
    reserve(world, subnet, "10.0.0.64/26", "prefix");
    Answer single = world.createInterface(subnet);
    assertThat(single.text("privateIpAddress")).contains("10.0.0.16");
    Answer prefixed = world.createInterface(subnet, "Ipv4PrefixCount=1");
    assertThat(World.texts(prefixed, "ipv4PrefixSet", "ipv4Prefix"))
        .containsExactly("10.0.0.64/28");
    Answer named = world.createInterface(subnet, "PrivateIpAddress=10.0.0.9");
    assertThat(named.text("privateIpAddress")).contains("10.0.0.9");
    assertThat(world.available(subnet)).as("reservations are no use").isEqualTo(123 - 1 - 17 - 1);
    Books.check(world.region());
    Answer listed = world.call("GetSubnetCidrReservations", "SubnetId=" + subnet);
    String id = World.text(listed, "subnetIpv4CidrReservationSet.0.subnetCidrReservationId");
    world.call("DeleteSubnetCidrReservation", "SubnetCidrReservationId=" + id);
    assertThat(world.createInterface(subnet).text("privateIpAddress")).contains("10.0.0.4");
    Books.check(world.region());
  }

  @Test
  @DisplayName("A subnet of reservations alone has nothing for who names nothing")
  void allReserved() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/28");
    reserve(world, subnet, "10.0.0.0/28", "explicit");
    Ec2Error error = world.refusal("CreateNetworkInterface", "SubnetId=" + subnet);
    assertThat(error.code()).isEqualTo("InsufficientFreeAddressesInSubnet");
    assertThat(world.available(subnet)).isEqualTo(11);
  }

  @Test
  @DisplayName("A /80 that EC2 chooses for one interface of a launch is none that another names")
  void namedByAnotherInterface() {
    World world = new World();
    String subnet = world.dualStack();
    world.call(
        "RunInstances",
        World.ONE_OF_IMAGE,
        "InstanceType=m5.large&NetworkInterface.1.DeviceIndex=0",
        "NetworkInterface.1.SubnetId=" + subnet,
        "NetworkInterface.1.Ipv6PrefixCount=1&NetworkInterface.2.DeviceIndex=1",
        "NetworkInterface.2.SubnetId=" + subnet,
        "NetworkInterface.2.Ipv6Prefix.1.Ipv6Prefix=2600:1f18:0:100:1::/80");
    assertThat(
            world.interfaces("subnet-id", subnet).stream()
                .flatMap(shown -> World.texts(shown, "ipv6PrefixSet", "ipv6Prefix").stream()))
        .containsExactlyInAnyOrder("2600:1f18:0:100:1::/80", "2600:1f18:0:100:2::/80");
  }

  @Test
  @DisplayName("A subnet gets its IPv6 block later, uses it, and gives it back when it is unused")
  void associated() {
    World world = new World();
    String vpc =
        World.text(
            world.call("CreateVpc", "CidrBlock=10.0.0.0/24&AmazonProvidedIpv6CidrBlock=true"),
            "vpc.vpcId");
    String subnet = world.subnet(vpc, "10.0.0.0/24");
    Answer made = associate(world, subnet, "2600:1f18:0:100::/64");
    assertThat(made.text("subnetId")).contains(subnet);
    Answer association = made.nested("ipv6CidrBlockAssociation").orElseThrow();
    assertThat(association.text("ipv6CidrBlock")).contains("2600:1f18:0:100::/64");
    Answer shown =
        world.call("DescribeSubnets", "SubnetId.1=" + subnet).structures("subnetSet").get(0);
    assertThat(World.texts(shown, "ipv6CidrBlockAssociationSet", "ipv6CidrBlock"))
        .containsExactly("2600:1f18:0:100::/64");
    String id = world.interfaceId(subnet, "Ipv6PrefixCount=1");
    String associationId = association.text("associationId").orElseThrow();
    assertThat(
            world.refusal("DisassociateSubnetCidrBlock", "AssociationId=" + associationId).code())
        .isEqualTo("InvalidCidrBlock.InUse");
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + id);
    world.call("DisassociateSubnetCidrBlock", "AssociationId=" + associationId);
    assertThat(
            world.refusal("DisassociateSubnetCidrBlock", "AssociationId=" + associationId).code())
        .isEqualTo("InvalidSubnetCidrBlockAssociationID.NotFound");
    assertThat(
            world
                .refusal("CreateNetworkInterface", "SubnetId=" + subnet, "Ipv6AddressCount=1")
                .code())
        .as("no address of a block that is gone")
        .isNotEmpty();
    associate(world, subnet, "2600:1f18:0:101::/64");
    assertThat(world.createInterface(subnet, "Ipv6AddressCount=1").structures("ipv6AddressesSet"))
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.text("ipv6Address").orElseThrow()).startsWith("2600:1f18:0:101:"));
    Books.check(world.region());
  }

  private static Answer associate(World world, String subnet, String block) {
    return world.call("AssociateSubnetCidrBlock", "SubnetId=" + subnet, "Ipv6CidrBlock=" + block);
  }

  private static void reserve(World world, String subnet, String block, String type) {
    world.call(
        "CreateSubnetCidrReservation",
        "SubnetId=" + subnet,
        "Cidr=" + block,
        "ReservationType=" + type);
  }
}
