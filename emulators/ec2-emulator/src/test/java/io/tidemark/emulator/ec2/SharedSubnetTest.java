package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Shared subnets (Share your VPC subnets with other accounts, VPC User Guide)")
class SharedSubnetTest {
  private static final String PARTICIPANT = "222222222222";

  private final World world = new World();
  private final String vpc = world.vpc("10.0.0.0/24");
  private final String subnet = world.subnet(vpc, "10.0.0.0/24");

  @BeforeEach
  void share() {
    world.model().share(World.REGION, subnet, Set.of(PARTICIPANT), world.now());
  }

  @Test
  @DisplayName("A participant sees subnet and VPC with their owner and changes neither")
  void seen() {
    world.as(PARTICIPANT);
    assertThat(
            World.texts(
                world.call("DescribeSubnets", "SubnetId.1=" + subnet), "subnetSet", "ownerId"))
        .containsExactly(World.ACCOUNT);
    assertThat(World.texts(world.call("DescribeVpcs", "VpcId.1=" + vpc), "vpcSet", "ownerId"))
        .containsExactly(World.ACCOUNT);
    assertThat(world.refusal("DeleteSubnet", "SubnetId=" + subnet).code())
        .isEqualTo("UnauthorizedOperation");
    assertThat(world.refusal("CreateSubnet", "VpcId=" + vpc, "CidrBlock=10.0.0.0/28").code())
        .isEqualTo("UnauthorizedOperation");
  }

  @Test
  @DisplayName(
      "A participant uses its own groups; the owner sees its interfaces and cannot delete them")
  void interfaces() {
    world.as(PARTICIPANT);
    assertThat(world.refusal("CreateNetworkInterface", "SubnetId=" + subnet).code())
        .as("the default group is the owner's")
        .isEqualTo("InvalidGroup.NotFound");
    String group =
        world
            .call("CreateSecurityGroup", "GroupName=p&GroupDescription=p&VpcId=" + vpc)
            .text("groupId")
            .orElseThrow();
    String id = world.interfaceId(subnet, "SecurityGroupId.1=" + group);
    world.as(World.ACCOUNT);
    Answer shown = world.shown(id).orElseThrow();
    assertThat(shown.text("ownerId")).contains(PARTICIPANT);
    assertThat(world.refusal("DeleteNetworkInterface", "NetworkInterfaceId=" + id).code())
        .isEqualTo("UnauthorizedOperation");
    assertThat(
            world
                .refusal(
                    "RunInstances",
                    World.ONE_OF_IMAGE,
                    "NetworkInterface.1.DeviceIndex=0",
                    "NetworkInterface.1.NetworkInterfaceId=" + id)
                .code())
        .isEqualTo("UnauthorizedOperation");
    assertThat(world.available(subnet)).isEqualTo(250);
    Books.check(world.region());
  }

  @Test
  @DisplayName(
      "When the sharing ends the participant sees nothing of it any more, but what it owns")
  void ended() {
    world.model().share(World.REGION, subnet, Set.of(), world.now());
    world.as(PARTICIPANT);
    assertThat(world.refusal("DescribeSubnets", "SubnetId.1=" + subnet).code())
        .isEqualTo("InvalidSubnetID.NotFound");
    assertThat(world.refusal("DescribeVpcs", "VpcId.1=" + vpc).code())
        .isEqualTo("InvalidVpcID.NotFound");
  }
}
