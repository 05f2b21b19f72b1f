package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Elastic Fabric Adapters follow EC2's rules")
class EfaRulesTest {
  private static final String BLOCK = "10.0.0.0/24";

  @Test
  @DisplayName(
      "An EFA-only interface has no address, takes none of the subnet and is no IPv4 match")
  void noAddress() {
    World world = new World();
    String subnet = world.subnet(BLOCK);
    String id = efaOnly(world, subnet);
    Answer shown = world.shown(id).orElseThrow();
    assertThat(shown.text("interfaceType")).contains("efa-only");
    assertThat(shown.text("privateIpAddress")).isEmpty();
    assertThat(shown.structures("privateIpAddressesSet")).isEmpty();
    assertThat(world.available(subnet)).isEqualTo(251);
    assertThat(world.interfaces("private-ip-address", "*")).isEmpty();
    assertThat(world.interfaces("interface-type", "efa-only")).hasSize(1);
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + id);
    assertThat(world.available(subnet)).isEqualTo(251);
  }

  @Test
  @DisplayName("A launch brings EFA-only interfaces to the other network cards")
  void launched() {
    World world = new World();
    String subnet = world.subnet(BLOCK);
    world.call(
        "RunInstances",
        World.ONE_OF_IMAGE,
        "InstanceType=p5.48xlarge&NetworkInterface.1.DeviceIndex=0",
        "NetworkInterface.1.SubnetId=" + subnet,
        "NetworkInterface.2.DeviceIndex=1&NetworkInterface.2.NetworkCardIndex=1",
        "NetworkInterface.2.SubnetId=" + subnet,
        "NetworkInterface.2.InterfaceType=efa-only");
    assertThat(world.interfaces("interface-type", "efa-only")).hasSize(1);
    assertThat(world.available(subnet)).isEqualTo(250);
    Books.check(world.region());
  }

  private static String efaOnly(World world, String subnet) {
    return world.interfaceId(subnet, "InterfaceType=efa-only");
  }
}
