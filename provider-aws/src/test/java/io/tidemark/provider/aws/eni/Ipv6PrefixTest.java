package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.EmulatedEc2;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("IPv6 prefixes over the strict EC2 (provider-aws 7.3, 10.3)")
class Ipv6PrefixTest {
  private final EniWorld world = inSubnet(EmulatedEc2::dualStackSubnet);

  private static EniWorld inSubnet(BiFunction<EmulatedEc2, String, String> subnet) {
    EniWorld world = new EniWorld(Copies.with(SettingsSample.USUAL, "ipv6", true));
    world.home = subnet.apply(world.ec2, "10.0.0.0/24");
    return world;
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
    NodeOperations node = world.node("node1");
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
    NodeOperations node = world.node("node1");
    assertThat(node.ipv6PrefixesMissing()).isEqualTo(1);
    assertThat(world.await(node.allocateIps(asking(node, 0), world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(node.ipv6PrefixesMissing()).isZero();

    NodeOperations single = inSubnet(EmulatedEc2::subnet).node("node1");
    assertThat(single.ipv6PrefixesMissing()).as("the subnet has no IPv6").isZero();
  }

  @Test
  @DisplayName("AWS-31 two IPv4 addresses and no IPv6: no prefix; nor where the subnet has no IPv6")
  void none() {
    NodeOperations node = world.node("node1");
    assertThat(world.allocate(node, 2)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(prefixes(node)).isZero();
    assertThat(world.attached("node1")).isEqualTo(2);

    NodeOperations single = inSubnet(EmulatedEc2::subnet).node("node1");
    assertThat(single.prepareIpAllocation().ipv6Prefixes()).isZero();
  }

  @Test
  @DisplayName("AWS-32 an interface for IPv6 alone: no IPv4 counted, no error, one prefix on two")
  void newInterface() {
    NodeOperations node = world.node("node1");
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
