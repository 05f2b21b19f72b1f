package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Quotas;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Interfaces and their addresses follow EC2's rules")
class InterfaceRulesTest {
  private static final String NOWHERE = "eni-0123456789abcdef0";

  static Stream<Rule> rules() {
    return Stream.of(
        new Rule(
            "CreateNetworkInterface",
            "the subnet exists",
            w -> w.refusal("CreateNetworkInterface", "SubnetId=subnet-0123456789abcdef0"),
            "InvalidSubnetID.NotFound",
            "The subnet ID 'subnet-0123456789abcdef0' does not exist"),
        new Rule(
            "EC2 error codes",
            "an id has its form",
            w -> w.refusal("CreateNetworkInterface", "SubnetId=subnet-1"),
            "InvalidSubnetID.Malformed",
            "Invalid id: \"subnet-1\""),
        new Rule(
            "CreateNetworkInterface, SecondaryPrivateIpAddressCount",
            "a count of addresses and a count of prefixes exclude one another",
            w -> create(w, "10.0.0.0/24", "SecondaryPrivateIpAddressCount=1&Ipv4PrefixCount=1"),
            "InvalidParameterCombination",
            "secondaryPrivateIpAddressCount cannot be used with the parameter ipv4PrefixCount"),
        new Rule(
            "ConnectionTrackingSpecificationRequest, TcpEstablishedTimeout",
            "established TCP connections are tracked for 60 to 432,000 seconds",
            w ->
                create(
                    w,
                    "10.0.0.0/24",
                    "ConnectionTrackingSpecification.TcpEstablishedTimeout=432001"),
            "InvalidParameterValue",
            "Value (432001) for parameter TcpEstablishedTimeout is invalid. It must be from 60 to"
                + " 432000 seconds"),
        new Rule(
            "ConnectionTrackingSpecificationRequest, UdpStreamTimeout",
            "UDP streams are tracked for 60 to 180 seconds",
            w -> create(w, "10.0.0.0/24", "ConnectionTrackingSpecification.UdpStreamTimeout=181"),
            "InvalidParameterValue",
            "Value (181) for parameter UdpStreamTimeout is invalid. It must be from 60 to 180"
                + " seconds"),
        new Rule(
            "ConnectionTrackingSpecificationRequest, UdpTimeout",
            "UDP flows of single packets are tracked for 30 to 60 seconds",
            w -> create(w, "10.0.0.0/24", "ConnectionTrackingSpecification.UdpTimeout=29"),
            "InvalidParameterValue",
            "Value (29) for parameter UdpTimeout is invalid. It must be from 30 to 60 seconds"),
        new Rule(
            "CreateNetworkInterface, PrivateIpAddress",
            "only one address is primary",
            w ->
                create(
                    w,
                    "10.0.0.0/24",
                    "PrivateIpAddress=10.0.0.9",
                    "PrivateIpAddresses.1.PrivateIpAddress=10.0.0.10",
                    "PrivateIpAddresses.1.Primary=true"),
            "InvalidParameterCombination",
            "Only one primary"),
        new Rule(
            "Subnet CIDR blocks, VPC User Guide",
            "the first four addresses and the last are reserved",
            w -> create(w, "10.0.0.0/24", "PrivateIpAddress=10.0.0.3"),
            "InvalidParameterValue",
            "is in subnet's reserved address range"),
        new Rule(
            "public logs",
            "an address lies in the subnet",
            w -> create(w, "10.0.0.0/24", "PrivateIpAddress=10.0.1.9"),
            "InvalidParameterValue",
            "does not fall within the subnet's address range"),
        new Rule(
            "public logs",
            "an address has one owner",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              w.createInterface(subnet, "PrivateIpAddress=10.0.0.9");
              return w.refusal(
                  "CreateNetworkInterface", "SubnetId=" + subnet, "PrivateIpAddress=10.0.0.9");
            },
            "InvalidIPAddress.InUse",
            "already in use"),
        new Rule(
            "EC2 error codes, InsufficientFreeAddressesInSubnet",
            "a /28 has eleven addresses",
            w -> create(w, "10.0.0.0/28", "SecondaryPrivateIpAddressCount=11"),
            "InsufficientFreeAddressesInSubnet",
            "does not have enough free addresses"),
        new Rule(
            "AssignPrivateIpAddresses, Ipv4Prefixes",
            "a named prefix is in the subnet's block",
            w ->
                w.refusal(
                    "AssignPrivateIpAddresses",
                    "NetworkInterfaceId=" + w.interfaceId(w.subnet("10.0.0.0/24")),
                    "Ipv4Prefix.1=10.0.1.0/28"),
            "InvalidParameterValue",
            "does not fall within the subnet's address range"),
        new Rule(
            "AssignPrivateIpAddresses, Ipv4Prefixes",
            "a named prefix that an interface has is not free, to that interface either",
            w -> {
              String id = w.interfaceId(w.subnet("10.0.0.0/24"));
              String request = "NetworkInterfaceId=" + id + "&Ipv4Prefix.1=10.0.0.32/28";
              w.call("AssignPrivateIpAddresses", request);
              return w.refusal("AssignPrivateIpAddresses", request);
            },
            "InsufficientCidrBlocks",
            "does not have enough free cidr blocks"),
        new Rule(
            "Assign prefixes, EC2 User Guide",
            "a /28 subnet has no free /28, because five of its addresses are reserved",
            w -> create(w, "10.0.0.0/28", "Ipv4PrefixCount=1"),
            "InsufficientCidrBlocks",
            "does not have enough free cidr blocks"),
        new Rule(
            "Amazon VPC quotas",
            "an interface has five groups at most",
            w -> {
              String vpc = w.vpc("10.0.0.0/24");
              return w.refusal(
                  "CreateNetworkInterface",
                  "SubnetId=" + w.subnet(vpc, "10.0.0.0/24"),
                  IntStream.rangeClosed(1, 6)
                      .mapToObj(i -> "SecurityGroupId." + i + "=" + group(w, vpc, "g" + i))
                      .collect(Collectors.joining("&")));
            },
            "SecurityGroupsPerInterfaceLimitExceeded",
            "maximum number of security groups"),
        new Rule(
            "EC2 error codes, InvalidParameter",
            "group and subnet are in one VPC",
            w -> {
              String other = group(w, w.vpc("10.1.0.0/16"), "other");
              return create(w, "10.0.0.0/24", "SecurityGroupId.1=" + other);
            },
            "InvalidParameter",
            "belong to different networks"),
        new Rule(
            "CreateNetworkInterface, InterfaceType",
            "the type is one of the known ones",
            w -> create(w, "10.0.0.0/24", "InterfaceType=fast"),
            "InvalidParameterValue",
            "interfaceType"),
        new Rule(
            "DeleteNetworkInterface",
            "an attached interface is not deleted",
            w -> {
              String instance = w.instance("m5.large", w.subnet("10.0.0.0/24"));
              return w.refusal(
                  "DeleteNetworkInterface", "NetworkInterfaceId=" + w.primaryInterface(instance));
            },
            "InvalidParameterValue",
            "is currently in use"),
        new Rule(
            "EC2 error codes",
            "the interface exists",
            w -> w.refusal("DeleteNetworkInterface", "NetworkInterfaceId=" + NOWHERE),
            "InvalidNetworkInterfaceID.NotFound",
            "The networkInterface ID '" + NOWHERE + "' does not exist"),
        new Rule(
            "AssignPrivateIpAddresses",
            "addresses or a count must be given",
            w ->
                w.refusal(
                    "AssignPrivateIpAddresses",
                    "NetworkInterfaceId=" + w.interfaceId(w.subnet("10.0.0.0/24"))),
            "MissingParameter",
            "secondaryPrivateIpAddressCount"),
        new Rule(
            "AssignPrivateIpAddresses, PrivateIpAddresses",
            "addresses and a count exclude one another",
            w ->
                w.refusal(
                    "AssignPrivateIpAddresses",
                    "NetworkInterfaceId=" + w.interfaceId(w.subnet("10.0.0.0/24")),
                    "PrivateIpAddress.1=10.0.0.9&SecondaryPrivateIpAddressCount=1"),
            "InvalidParameterCombination",
            "cannot be used with"),
        new Rule(
            "IP addresses per network interface per instance type, EC2 User Guide",
            "an m5.large interface has ten places, the primary address takes one",
            w -> assignToPrimary(w, "m5.large", "SecondaryPrivateIpAddressCount", "10"),
            "PrivateIpAddressLimitExceeded",
            "Number of private addresses will exceed limit."),
        new Rule(
            "AssignPrivateIpAddresses",
            "a count is no more than a subnet has",
            w -> assignToPrimary(w, "m5.large", "SecondaryPrivateIpAddressCount", "2147483647"),
            "InvalidParameterValue",
            "2147483647"),
        new Rule(
            "Assign prefixes, EC2 User Guide",
            "a prefix takes one place, as an address does",
            w -> assignToPrimary(w, "m5.large", "Ipv4PrefixCount", "10"),
            "PrivateIpAddressLimitExceeded",
            "will exceed limit"),
        new Rule(
            "Assign prefixes, EC2 User Guide",
            "prefixes need the Nitro System",
            w -> assignToPrimary(w, "t2.small", "Ipv4PrefixCount", "1"),
            "UnsupportedOperation",
            "t2.small"),
        new Rule(
            "UnassignPrivateIpAddresses",
            "the primary address stays",
            w -> {
              Answer made = w.createInterface(w.subnet("10.0.0.0/24"));
              return w.refusal(
                  "UnassignPrivateIpAddresses",
                  "NetworkInterfaceId=" + made.text("networkInterfaceId").orElseThrow(),
                  "PrivateIpAddress.1=" + made.text("privateIpAddress").orElseThrow());
            },
            "InvalidParameterValue",
            "primary"),
        new Rule(
            "public logs",
            "an address that is not there is not unassigned",
            w -> {
              String id = w.interfaceId(w.subnet("10.0.0.0/24"));
              return w.refusal(
                  "UnassignPrivateIpAddresses",
                  "NetworkInterfaceId=" + id,
                  "PrivateIpAddress.1=10.0.0.99");
            },
            "InvalidParameterValue",
            "Some of the specified addresses are not assigned to interface"),
        new Rule(
            "ModifyNetworkInterfaceAttribute: you can specify only one attribute at a time",
            "one attribute per call",
            w ->
                w.refusal(
                    "ModifyNetworkInterfaceAttribute",
                    "NetworkInterfaceId=" + w.interfaceId(w.subnet("10.0.0.0/24")),
                    "Description.Value=x&SourceDestCheck.Value=false"),
            "InvalidParameterCombination",
            "multiple attribute types"),
        new Rule(
            "ModifyNetworkInterfaceAttribute, Attachment",
            "the attachment is that of the interface",
            w ->
                w.refusal(
                    "ModifyNetworkInterfaceAttribute",
                    "NetworkInterfaceId=" + w.interfaceId(w.subnet("10.0.0.0/24")),
                    "Attachment.AttachmentId=eni-attach-0123456789abcdef0",
                    "Attachment.DeleteOnTermination=true"),
            "InvalidAttachmentID.NotFound",
            "eni-attach-0123456789abcdef0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void refused(Rule rule) {
    rule.check();
  }

  @Test
  @DisplayName("A creation answers pending, a listing shows available (CreateNetworkInterface)")
  void creation() {
    World world = new World();
    Answer made = world.createInterface(world.subnet("10.0.0.0/24"), "Description=pods");
    assertThat(made.text("status")).contains("pending");
    Answer shown = world.shown(made.text("networkInterfaceId").orElseThrow()).orElseThrow();
    assertThat(shown.text("status")).contains("available");
    assertThat(shown.text("description")).contains("pods");
    assertThat(shown.text("privateDnsName")).contains("ip-10-0-0-4.ec2.internal");
    assertThat(World.texts(shown, "groupSet", "groupName")).containsExactly("default");
  }

  @Test
  @DisplayName(
      "A /24 has 251 addresses; a prefix takes 16 of them (Subnet, availableIpAddressCount)")
  void counts() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    assertThat(world.available(subnet)).isEqualTo(251);
    String id = world.interfaceId(subnet, "Ipv4PrefixCount=2");
    assertThat(world.available(subnet)).isEqualTo(251 - 1 - 32);
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + id);
    assertThat(world.available(subnet)).isEqualTo(251);
  }

  @Test
  @DisplayName("An assignment answers what it added and nothing else (AssignPrivateIpAddresses)")
  void assignment() {
    World world = new World();
    String id = world.interfaceId(world.subnet("10.0.0.0/24"), "SecondaryPrivateIpAddressCount=2");
    Answer singles =
        world.call(
            "AssignPrivateIpAddresses",
            "NetworkInterfaceId=" + id,
            "SecondaryPrivateIpAddressCount=2");
    assertThat(World.texts(singles, "assignedPrivateIpAddressesSet", "privateIpAddress"))
        .containsExactly("10.0.0.7", "10.0.0.8");
    Answer prefixes =
        world.call(
            "AssignPrivateIpAddresses", "NetworkInterfaceId=" + id, "Ipv4Prefix.1=10.0.0.32/28");
    assertThat(World.texts(prefixes, "assignedIpv4PrefixSet", "ipv4Prefix"))
        .containsExactly("10.0.0.32/28");
    assertThat(world.shown(id).orElseThrow().structures("privateIpAddressesSet")).hasSize(5);
  }

  @Test
  @DisplayName("One address in each /28 leaves free addresses and no prefix (Assign prefixes)")
  void fragmentation() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/26");
    for (int i = 0; i < 4; i++) {
      world.createInterface(subnet, "PrivateIpAddress=" + ("10.0.0." + (16 * i + 8)));
    }
    assertThat(world.available(subnet)).isEqualTo(59 - 4);
    Ec2Error error =
        world.refusal("CreateNetworkInterface", "SubnetId=" + subnet, "Ipv4PrefixCount=1");
    assertThat(error.code()).isEqualTo("InsufficientCidrBlocks");
    assertThat(world.available(subnet)).as("nothing is kept of a refused call").isEqualTo(55);
  }

  @Test
  @DisplayName("With AllowReassignment an address moves from one interface to another")
  void reassignment() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String from = world.interfaceId(subnet, "SecondaryPrivateIpAddressCount=1");
    String to = world.interfaceId(subnet);
    String move = "NetworkInterfaceId=" + to + "&PrivateIpAddress.1=10.0.0.5";
    assertThat(world.refusal("AssignPrivateIpAddresses", move, "AllowReassignment=false").code())
        .isEqualTo("InvalidIPAddress.InUse");
    world.call("AssignPrivateIpAddresses", move, "AllowReassignment=true");
    assertThat(world.shown(from).orElseThrow().structures("privateIpAddressesSet")).hasSize(1);
    assertThat(
            World.texts(world.shown(to).orElseThrow(), "privateIpAddressesSet", "privateIpAddress"))
        .contains("10.0.0.5");
    Books.check(world.region());
  }

  @Test
  @DisplayName("The quota of interfaces per region (Amazon VPC quotas)")
  void quota() {
    World world = new World(World.options().withQuotas(Quotas.DEFAULT.withInterfaces(3)));
    String subnet = world.subnet("10.0.0.0/24");
    IntStream.range(0, 3).forEach(i -> world.createInterface(subnet));
    assertThat(world.refusal("CreateNetworkInterface", "SubnetId=" + subnet).code())
        .isEqualTo("NetworkInterfaceLimitExceeded");
  }

  @Test
  @DisplayName("A client token: same request same answer, other request a mismatch (Idempotency)")
  void token() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String request = "SubnetId=" + subnet + "&ClientToken=t1";
    Answer first = world.call("CreateNetworkInterface", request);
    assertThat(first.text("clientToken")).contains("t1");
    assertThat(world.call("CreateNetworkInterface", request)).isSameAs(first);
    assertThat(world.available(subnet)).isEqualTo(250);
    Ec2Error other =
        world.refusal(
            "CreateNetworkInterface", "SubnetId=" + subnet, "ClientToken=t1&Description=another");
    assertThat(other.code()).isEqualTo("IdempotentParameterMismatch");
    world.as("222222222222");
    assertThat(world.refusal("CreateNetworkInterface", request).code())
        .as("tokens and subnets belong to accounts")
        .isEqualTo("InvalidSubnetID.NotFound");
  }

  @Test
  @DisplayName("DryRun says that it would work and does nothing")
  void dryRun() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    Ec2Error error =
        world.refusal(
            "CreateNetworkInterface",
            "SubnetId=" + subnet,
            "DryRun=true&ClientToken=t&Ipv4PrefixCount=1");
    assertThat(error.code()).isEqualTo("DryRunOperation");
    assertThat(error.status()).isEqualTo(412);
    assertThat(world.available(subnet)).isEqualTo(251);
    assertThat(world.region().interfaces().present()).isEmpty();
  }

  @Test
  @DisplayName("Connection tracking is shown as far as it was asked for, by interface and instance")
  void tracking() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String instance = world.instance("m5.large", subnet);
    Answer made =
        world.createInterface(
            subnet,
            "ConnectionTrackingSpecification.TcpEstablishedTimeout=350",
            "ConnectionTrackingSpecification.UdpTimeout=45");
    String id = made.text("networkInterfaceId").orElseThrow();
    world.attach(id, instance, 1);
    List<Answer> ofInstance =
        world
            .call("DescribeInstances", "InstanceId.1=" + instance)
            .structures("reservationSet")
            .get(0)
            .structures("instancesSet")
            .get(0)
            .structures("networkInterfaceSet");
    for (Answer shown : List.of(made, world.shown(id).orElseThrow(), ofInstance.get(1))) {
      Answer tracking = shown.nested("connectionTrackingConfiguration").orElseThrow();
      assertThat(tracking.members().keySet())
          .containsExactly("tcpEstablishedTimeout", "udpTimeout");
      assertThat(tracking.text("tcpEstablishedTimeout")).contains("350");
      assertThat(tracking.text("udpTimeout")).contains("45");
    }
    assertThat(ofInstance.get(0).nested("connectionTrackingConfiguration")).isEmpty();
  }

  @Test
  @DisplayName("Filters: by what an interface is, where, whose, with wildcards and tags")
  void filters() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String instance = world.instance("m5.large", subnet);
    String tagged =
        world.interfaceId(
            subnet,
            "Description=a*b&TagSpecification.1.ResourceType=network-interface",
            "TagSpecification.1.Tag.1.Key=owner&TagSpecification.1.Tag.1.Value=me");
    List<List<String>> single =
        List.of(
            List.of("tag:owner", "me"),
            List.of("tag:owner", "m?"),
            List.of("tag-key", "owner"),
            List.of("description", "a\\*b"),
            List.of("status", "available"),
            List.of("private-ip-address", "10.0.0.5"));
    List<String> found = new ArrayList<>();
    single.forEach(
        f ->
            world
                .interfaces(f.get(0), f.get(1))
                .forEach(i -> found.add(i.text("networkInterfaceId").orElseThrow())));
    assertThat(found).hasSize(6).containsOnly(tagged);
    assertThat(world.interfaces("attachment.instance-id", instance)).hasSize(1);
    assertThat(world.interfaces("attachment.status", "attached")).hasSize(1);
    assertThat(world.interfaces("private-ip-address", "*")).hasSize(2);
    assertThat(world.interfaces("subnet-id", subnet, "subnet-00000000")).hasSize(2);
    assertThat(world.interfaces("vpc-id", "vpc-00000000")).isEmpty();
  }

  @Test
  @DisplayName("A primary address of EC2's choice is none that the request names")
  void namedAddresses() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/28");
    String named =
        IntStream.range(0, 10)
            .mapToObj(i -> "PrivateIpAddresses." + (i + 1) + ".PrivateIpAddress=10.0.0." + (4 + i))
            .collect(Collectors.joining("&"));
    Answer made = world.createInterface(subnet, named);
    assertThat(made.text("privateIpAddress")).hasValue("10.0.0.14");
    assertThat(World.texts(made, "privateIpAddressesSet", "privateIpAddress"))
        .contains("10.0.0.4", "10.0.0.13")
        .hasSize(11);
    assertThat(world.available(subnet)).isZero();
  }

  @Test
  @DisplayName("What EC2 chooses for one interface of a launch is none that another one names")
  void namedByAnotherInterface() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/26");
    Answer launched =
        world.call(
            "RunInstances",
            World.ONE_OF_IMAGE,
            "InstanceType=m5.large&NetworkInterface.1.DeviceIndex=0",
            "NetworkInterface.1.SubnetId=" + subnet,
            "NetworkInterface.1.Ipv4PrefixCount=1&NetworkInterface.2.DeviceIndex=1",
            "NetworkInterface.2.SubnetId=" + subnet,
            "NetworkInterface.2.PrivateIpAddress=10.0.0.4",
            "NetworkInterface.2.Ipv4Prefix.1.Ipv4Prefix=10.0.0.16/28");
    assertThat(launched.structures("instancesSet")).hasSize(1);
    assertThat(
            world.interfaces("subnet-id", subnet).stream()
                .map(shown -> shown.text("privateIpAddress").orElseThrow()))
        .containsExactlyInAnyOrder("10.0.0.5", "10.0.0.4");
    assertThat(
            world.interfaces("subnet-id", subnet).stream()
                .flatMap(shown -> World.texts(shown, "ipv4PrefixSet", "ipv4Prefix").stream()))
        .containsExactlyInAnyOrder("10.0.0.32/28", "10.0.0.16/28");
  }

  private static Ec2Error create(World world, String block, String... more) {
    return world.refusal(
        "CreateNetworkInterface", "SubnetId=" + world.subnet(block), String.join("&", more));
  }

  private static Ec2Error assignToPrimary(World world, String type, String what, String count) {
    String instance = world.instance(type, world.subnet("10.0.0.0/20"));
    return world.refusal(
        "AssignPrivateIpAddresses",
        "NetworkInterfaceId=" + world.primaryInterface(instance),
        what + "=" + count);
  }

  private static String group(World world, String vpc, String name) {
    return world
        .call(
            "CreateSecurityGroup", "GroupName=" + name, "GroupDescription=" + name, "VpcId=" + vpc)
        .text("groupId")
        .orElseThrow();
  }
}
