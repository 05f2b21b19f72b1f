package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("IPv6 and CIDR reservations follow EC2's rules")
class Ipv6RulesTest {
  static Stream<Rule> rules() {
    return Stream.of(
        new Rule(
            "AssignIpv6Addresses",
            "the subnet has an IPv6 block",
            w ->
                w.refusal(
                    "AssignIpv6Addresses",
                    "NetworkInterfaceId=" + w.interfaceId(w.subnet("10.0.0.0/24")),
                    "Ipv6PrefixCount=1"),
            "InvalidParameterValue",
            "does not have an IPv6 CIDR block"),
        new Rule(
            "AssignIpv6Addresses",
            "addresses or a count must be given",
            w ->
                w.refusal(
                    "AssignIpv6Addresses", "NetworkInterfaceId=" + w.interfaceId(w.dualStack())),
            "MissingParameter",
            "ipv6AddressCount"),
        new Rule(
            "CreateNetworkInterface, Ipv6AddressCount",
            "a count of addresses and a count of prefixes exclude one another",
            w ->
                w.refusal(
                    "CreateNetworkInterface",
                    "SubnetId=" + w.dualStack(),
                    "Ipv6AddressCount=1&Ipv6PrefixCount=1"),
            "InvalidParameterCombination",
            "ipv6AddressCount cannot be used with the parameter ipv6PrefixCount"),
        new Rule(
            "Subnet CIDR blocks, VPC User Guide",
            "the first four IPv6 addresses are reserved",
            w -> assign(w, "Ipv6Addresses.1", "2600:1f18:0:100::3"),
            "InvalidParameterValue",
            "reserved address range"),
        new Rule(
            "AssignIpv6Addresses",
            "an address lies in the subnet",
            w -> assign(w, "Ipv6Addresses.1", "2600:1f18:0:101::5"),
            "InvalidParameterValue",
            "does not fall within the subnet's address range"),
        new Rule(
            "AssignIpv6Addresses",
            "a prefix with an address of somebody in it is not free",
            w -> {
              String subnet = w.dualStack();
              w.interfaceId(subnet, "Ipv6Addresses.1.Ipv6Address=2600:1f18:0:100:7::9");
              return w.refusal(
                  "AssignIpv6Addresses",
                  "NetworkInterfaceId=" + w.interfaceId(subnet),
                  "Ipv6Prefix.1=2600:1f18:0:100:7::/80");
            },
            "InsufficientCidrBlocks",
            "free cidr blocks"),
        new Rule(
            "AssignIpv6Addresses, Ipv6Prefixes",
            "a named prefix is in the subnet's block",
            w -> assign(w, "Ipv6Prefix.1", "2600:1f18:0:101::/80"),
            "InvalidParameterValue",
            "does not fall within the subnet's address range"),
        new Rule(
            "AssignIpv6Addresses, Ipv6Prefixes",
            "a prefix is a /80",
            w -> assign(w, "Ipv6Prefix.1", "2600:1f18:0:100::/96"),
            "InvalidParameterValue",
            "must be a /80"),
        new Rule(
            "IP addresses per network interface per instance type, EC2 User Guide",
            "a t2 has no prefixes, and a t3.micro two places",
            w -> {
              String instance = w.instance("t3.micro", w.dualStack());
              return w.refusal(
                  "AssignIpv6Addresses",
                  "NetworkInterfaceId=" + w.primaryInterface(instance),
                  "Ipv6AddressCount=3");
            },
            "PrivateIpAddressLimitExceeded",
            "will exceed limit"),
        new Rule(
            "UnassignIpv6Addresses",
            "what is not there is not unassigned",
            w ->
                w.refusal(
                    "UnassignIpv6Addresses",
                    "NetworkInterfaceId=" + w.interfaceId(w.dualStack()),
                    "Ipv6Addresses.1=2600:1f18:0:100::77"),
            "InvalidParameterValue",
            "not assigned to interface"),
        new Rule(
            "CreateSubnet, Ipv6CidrBlock",
            "a subnet's IPv6 block is a /64 of the VPC's",
            w -> {
              String vpc =
                  w.call("CreateVpc", "CidrBlock=10.0.0.0/24")
                      .nested("vpc")
                      .orElseThrow()
                      .text("vpcId")
                      .orElseThrow();
              return w.refusal(
                  "CreateSubnet",
                  "VpcId=" + vpc,
                  "CidrBlock=10.0.0.0/24&Ipv6CidrBlock=2600:1f18:0:100::/64");
            },
            "InvalidSubnet.Range",
            "2600:1f18:0:100::/64"),
        new Rule(
            "Subnet CIDR reservations, VPC User Guide",
            "a reservation lies in its subnet",
            w ->
                w.refusal(
                    "CreateSubnetCidrReservation",
                    "SubnetId=" + w.subnet("10.0.0.0/24"),
                    "Cidr=10.0.1.0/28&ReservationType=prefix"),
            "InvalidParameterValue",
            "not within the subnet's block"),
        new Rule(
            "Subnet CIDR reservations, VPC User Guide",
            "reservations do not overlap",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              reserve(w, subnet, "10.0.0.64/26", "prefix");
              return w.refusal(
                  "CreateSubnetCidrReservation",
                  "SubnetId=" + subnet,
                  "Cidr=10.0.0.96/28&ReservationType=explicit");
            },
            "InvalidParameterValue",
            "overlaps with another reservation"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void refused(Rule rule) {
    rule.check();
  }

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
    String id =
        listed
            .structures("subnetIpv4CidrReservationSet")
            .get(0)
            .text("subnetCidrReservationId")
            .orElseThrow();
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
        world
            .call("CreateVpc", "CidrBlock=10.0.0.0/24&AmazonProvidedIpv6CidrBlock=true")
            .nested("vpc")
            .orElseThrow()
            .text("vpcId")
            .orElseThrow();
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

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "2600:1f18:0:100::/64,CidrLimitExceeded,has an IPv6 CIDR block already",
    "2600:1f18:0:200::/64,CidrLimitExceeded,has an IPv6 CIDR block already"
  })
  @DisplayName("A subnet has one IPv6 block")
  void oneBlock(String block, String code, String fragment) {
    World world = new World();
    Ec2Error error =
        world.refusal(
            "AssociateSubnetCidrBlock", "SubnetId=" + world.dualStack(), "Ipv6CidrBlock=" + block);
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.message()).contains(fragment);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "2600:1f18:0:200::/64,InvalidSubnet.Range",
    "2600:1f18:0:100::/80,InvalidSubnet.Range",
    "2600:1f18:0:100::/64,InvalidSubnet.Conflict",
    "10.0.0.0/28,InvalidParameterValue"
  })
  @DisplayName("The IPv6 block of a subnet is a /64 of its VPC that no other subnet has")
  void whichBlock(String block, String code) {
    World world = new World();
    String first = world.dualStack();
    String vpc =
        world
            .call("DescribeSubnets", "SubnetId.1=" + first)
            .structures("subnetSet")
            .get(0)
            .text("vpcId")
            .orElseThrow();
    world.call("AssociateVpcCidrBlock", "VpcId=" + vpc, "CidrBlock=10.0.1.0/24");
    String second = world.subnet(vpc, "10.0.1.0/24");
    assertThat(
            world
                .refusal("AssociateSubnetCidrBlock", "SubnetId=" + second, "Ipv6CidrBlock=" + block)
                .code())
        .isEqualTo(code);
  }

  private static Answer associate(World world, String subnet, String block) {
    return world.call("AssociateSubnetCidrBlock", "SubnetId=" + subnet, "Ipv6CidrBlock=" + block);
  }

  private static Ec2Error assign(World world, String parameter, String value) {
    return world.refusal(
        "AssignIpv6Addresses",
        "NetworkInterfaceId=" + world.interfaceId(world.dualStack()),
        parameter + "=" + value);
  }

  private static void reserve(World world, String subnet, String block, String type) {
    world.call(
        "CreateSubnetCidrReservation",
        "SubnetId=" + subnet,
        "Cidr=" + block,
        "ReservationType=" + type);
  }
}
