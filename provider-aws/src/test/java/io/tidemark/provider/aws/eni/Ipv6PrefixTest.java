package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("IPv6 prefixes over the strict EC2 (provider-aws 7.3, 10.3)")
class Ipv6PrefixTest {
  private final EniWorld world =
      new EniWorld(SettingsSample.USUAL.withIpv6(true).build(), api -> api);

  private NodeOperations node(String subnet) {
    world.launch("node1", "m5.large", subnet);
    return world.node("node1", world.spec("m5.large", subnet).build(), false, false);
  }

  private int prefixes(NodeOperations node) {
    Object read = world.sync("node1");
    assertThat(read).isNotNull();
    int shown = EniWorld.known(node).statistics().ipv6Prefixes();
    assertThat(
            world.interfaces("node1").stream().mapToInt(each -> each.ipv6Prefixes().size()).sum())
        .as("what EC2 holds")
        .isEqualTo(shown);
    return shown;
  }

  private static AllocationAction asking(NodeOperations node, int ipv4) {
    AllocationAction plan = node.prepareIpAllocation();
    return plan.with(plan.ipv4().wanting(ipv4, OptionalInt.empty()), plan.ipv6Prefixes());
  }

  @Test
  @DisplayName("AWS-30 a node without an IPv6 prefix gets exactly one, and never another")
  void one() {
    NodeOperations node = node(world.ec2.dualStackSubnet("10.0.0.0/24"));
    assertThat(prefixes(node)).isZero();
    AllocationAction action = asking(node, 0);
    assertThat(action.ipv6Prefixes()).isEqualTo(1);
    assertThat(world.await(node.allocateIps(action, world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(prefixes(node)).isEqualTo(1);
    assertThat(node.prepareIpAllocation().ipv6Prefixes()).isZero();
    assertThat(world.await(node.allocateIps(asking(node, 3), world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(prefixes(node)).isEqualTo(1);
  }

  @Test
  @DisplayName("AWS-30 the setting promises it to each node, whatever its agent asks for")
  void promised() {
    NodeOperations node = node(world.ec2.dualStackSubnet("10.0.0.0/24"));
    assertThat(node.ipv6PrefixesMissing()).isEqualTo(1);
    assertThat(world.await(node.allocateIps(asking(node, 0), world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(node.ipv6PrefixesMissing()).isZero();

    EniWorld other = new EniWorld(SettingsSample.USUAL.withIpv6(true).build(), api -> api);
    String ipv4Only = other.ec2.subnet("10.0.0.0/24");
    other.launch("node1", "m5.large", ipv4Only);
    assertThat(
            other
                .node("node1", other.spec("m5.large", ipv4Only).build(), false, false)
                .ipv6PrefixesMissing())
        .as("the subnet has no IPv6")
        .isZero();
  }

  @Test
  @DisplayName("AWS-31 two IPv4 addresses and no IPv6: no prefix; nor where the subnet has no IPv6")
  void none() {
    NodeOperations node = node(world.ec2.dualStackSubnet("10.0.0.0/24"));
    AllocationAction plan = node.prepareIpAllocation();
    assertThat(
            world.await(
                node.allocateIps(
                    plan.with(plan.ipv4().wanting(2, OptionalInt.empty()), 0), world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(prefixes(node)).isZero();
    assertThat(world.attached("node1")).isEqualTo(2);

    EniWorld other = new EniWorld(SettingsSample.USUAL.withIpv6(true).build(), api -> api);
    String ipv4Only = other.ec2.subnet("10.0.0.0/24");
    other.launch("node1", "m5.large", ipv4Only);
    NodeOperations single =
        other.node("node1", other.spec("m5.large", ipv4Only).build(), false, false);
    assertThat(single.prepareIpAllocation().ipv6Prefixes()).isZero();
  }

  @Test
  @DisplayName("AWS-32 an interface for IPv6 alone: no IPv4 counted, no error, one prefix on two")
  void newInterface() {
    NodeOperations node = node(world.ec2.dualStackSubnet("10.0.0.0/24"));
    assertThat(world.await(node.createInterface(asking(node, 0), world.context())))
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            allocated -> {
              assertThat(allocated.addresses()).isZero();
              assertThat(allocated.created()).isPresent();
            });
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(prefixes(node)).isEqualTo(1);
    assertThat(world.attached("node1")).isZero();
  }
}
