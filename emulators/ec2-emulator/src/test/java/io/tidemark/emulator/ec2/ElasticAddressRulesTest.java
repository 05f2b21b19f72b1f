package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Elastic addresses follow EC2's rules")
class ElasticAddressRulesTest {
  @Test
  @DisplayName("An association ends with its interface or its private address; the address stays")
  void ends() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String id = world.interfaceId(subnet, "SecondaryPrivateIpAddressCount=1");
    String first = address(world);
    String second = address(world);
    associate(world, first, id);
    world.call(
        "AssociateAddress",
        "AllocationId=" + second,
        "NetworkInterfaceId=" + id,
        "PrivateIpAddress=10.0.0.5");
    world.call(
        "UnassignPrivateIpAddresses", "NetworkInterfaceId=" + id, "PrivateIpAddress.1=10.0.0.5");
    assertThat(privateAddress(world, first)).contains("10.0.0.4");
    assertThat(privateAddress(world, second)).isEmpty();
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + id);
    assertThat(privateAddress(world, first)).isEmpty();
  }

  @Test
  @DisplayName("A private address that moves takes its public one along (AssignPrivateIpAddresses)")
  void moves() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String from = world.interfaceId(subnet, "SecondaryPrivateIpAddressCount=1");
    String to = world.interfaceId(subnet);
    String address = address(world);
    world.call(
        "AssociateAddress",
        "AllocationId=" + address,
        "NetworkInterfaceId=" + from,
        "PrivateIpAddress=10.0.0.5");
    world.call(
        "AssignPrivateIpAddresses",
        "NetworkInterfaceId=" + to,
        "PrivateIpAddress.1=10.0.0.5&AllowReassignment=true");
    assertThat(described(world, address).text("networkInterfaceId")).contains(to);
    Books.check(world.region());
  }

  @Test
  @DisplayName("An interface of a pending instance takes no address (IncorrectInstanceState)")
  void pending() {
    DelayRange slow = DelayRange.fixed(Duration.ofMinutes(1));
    World world = new World(World.options().withDelay(slow, Delay.START));
    String instance = world.instance("m5.large", world.subnet("10.0.0.0/24"));
    String address = address(world);
    assertThat(
            world
                .refusal("AssociateAddress", "AllocationId=" + address, "InstanceId=" + instance)
                .code())
        .isEqualTo("IncorrectInstanceState");
    world.pass(Duration.ofMinutes(1));
    world.call("AssociateAddress", "AllocationId=" + address, "InstanceId=" + instance);
    assertThat(described(world, address).text("instanceId")).contains(instance);
  }

  private static String address(World world) {
    return world.call("AllocateAddress").text("allocationId").orElseThrow();
  }

  private static void associate(World world, String address, String id) {
    world.call("AssociateAddress", "AllocationId=" + address, "NetworkInterfaceId=" + id);
  }

  private static Answer described(World world, String address) {
    return World.at(world.call("DescribeAddresses", "AllocationId.1=" + address), "addressesSet.0");
  }

  private static Optional<String> privateAddress(World world, String address) {
    return described(world, address).text("privateIpAddress");
  }
}
