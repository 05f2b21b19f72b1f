package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Interfaces and their addresses follow EC2's rules")
class InterfaceRulesTest {
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
    World world = new World(World.options().withQuota(Quota.INTERFACES, 3));
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
        World.at(
                world.call("DescribeInstances", "InstanceId.1=" + instance),
                "reservationSet.0.instancesSet.0")
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
}
