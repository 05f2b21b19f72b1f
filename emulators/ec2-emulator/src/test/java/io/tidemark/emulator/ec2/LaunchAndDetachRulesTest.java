package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("IPv6 at launch, forced detachment and listed permissions follow EC2's rules")
class LaunchAndDetachRulesTest {
  @Test
  @DisplayName("A launch gives its interface IPv6 addresses or prefixes")
  void ipv6AtLaunch() {
    World world = new World();
    String subnet = world.dualStack();
    String first = "NetworkInterface.1.DeviceIndex=0&NetworkInterface.1.SubnetId=" + subnet;
    launch(world, first, "NetworkInterface.1.Ipv6AddressCount=2");
    launch(world, first, "NetworkInterface.1.Ipv6PrefixCount=1");
    launch(world, "SubnetId=" + subnet, "Ipv6AddressCount=3");
    List<Answer> shown = world.interfaces("subnet-id", subnet);
    assertThat(shown.stream().map(one -> one.structures("ipv6AddressesSet").size()))
        .containsExactly(2, 0, 3);
    assertThat(shown.stream().map(one -> one.structures("ipv6PrefixSet").size()))
        .containsExactly(0, 1, 0);
    assertThat(
            World.at(
                    world.call("DescribeInstances"),
                    "reservationSet.2.instancesSet.0.networkInterfaceSet.0")
                .structures("ipv6AddressesSet"))
        .hasSize(3);
  }

  @Test
  @DisplayName("A forced detachment is over at once, also of what is detaching already")
  void forced() {
    World world =
        new World(
            World.options()
                .withDelay(DelayRange.fixed(Duration.ofMinutes(9)), Ec2ModelOptions.Delay.DETACH));
    String subnet = world.subnet("10.0.0.0/24");
    String instance = world.instance("m5.large", subnet);
    String eni = world.interfaceId(subnet);
    String attachment = world.attach(eni, instance, 1);
    world.call("DetachNetworkInterface", "AttachmentId=" + attachment);
    assertThat(world.shown(eni).orElseThrow().text("status")).contains("in-use");
    force(world, attachment);
    assertThat(world.shown(eni).orElseThrow().text("status")).contains("available");
    Books.check(world.region());

    world.call("StopInstances", "InstanceId.1=" + instance);
    world.call("StartInstances", "InstanceId.1=" + instance);
    world.attach(eni, instance, 1);
    assertThat(world.shown(eni).orElseThrow().text("status")).contains("in-use");
  }

  @Test
  @DisplayName("Permissions are listed by id and filter, fifty on a page unless asked otherwise")
  void permissions() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    List<String> enis = IntStream.range(0, 51).mapToObj(i -> world.interfaceId(subnet)).toList();
    List<String> ids = new ArrayList<>();
    enis.forEach(eni -> ids.add(permit(world, eni)));
    Answer first = world.call("DescribeNetworkInterfacePermissions");
    assertThat(first.structures("networkInterfacePermissions")).hasSize(50);
    assertThat(
            world
                .call(
                    "DescribeNetworkInterfacePermissions",
                    "NextToken=" + first.text("nextToken").orElseThrow())
                .structures("networkInterfacePermissions"))
        .hasSize(1);
    Answer one =
        World.at(
            world.call(
                "DescribeNetworkInterfacePermissions",
                "Filter.1.Name=network-interface-permission.network-interface-id",
                "Filter.1.Value.1=" + enis.get(7)),
            "networkInterfacePermissions.0");
    assertThat(one.text("networkInterfacePermissionId")).contains(ids.get(7));
    assertThat(one.text("awsAccountId")).contains("222222222222");
    assertThat(World.text(one, "permissionState.state")).isEqualTo("granted");
    assertThat(
            World.texts(
                world.call(
                    "DescribeNetworkInterfacePermissions",
                    "NetworkInterfacePermissionId.1=" + ids.get(3)),
                "networkInterfacePermissions",
                "networkInterfaceId"))
        .containsExactly(enis.get(3));
  }

  private static String permit(World world, String eni) {
    return World.text(
        world.call(
            "CreateNetworkInterfacePermission",
            "NetworkInterfaceId=" + eni,
            "AwsAccountId=222222222222&Permission=INSTANCE-ATTACH"),
        "interfacePermission.networkInterfacePermissionId");
  }

  private static void force(World world, String attachment) {
    world.call("DetachNetworkInterface", "AttachmentId=" + attachment, "Force=true");
  }

  private static void launch(World world, String... more) {
    world.call("RunInstances", World.ONE_OF_IMAGE + "&InstanceType=m5.large", more(more));
  }

  private static String more(String... parameters) {
    return String.join("&", parameters);
  }
}
