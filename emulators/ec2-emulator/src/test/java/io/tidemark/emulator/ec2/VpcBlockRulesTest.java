package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Further blocks of a VPC follow EC2's rules")
class VpcBlockRulesTest {
  @Test
  @DisplayName("A further block is listed, has subnets, is routed locally and can be taken off")
  void life() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/16");
    Answer made =
        World.at(
            world.call("AssociateVpcCidrBlock", "VpcId=" + vpc, "CidrBlock=100.64.0.0/16"),
            "cidrBlockAssociation");
    assertThat(made.nested("cidrBlockState").orElseThrow().text("state")).contains("associating");
    assertThat(blocks(world, vpc)).containsExactly("10.0.0.0/16", "100.64.0.0/16");
    assertThat(routes(world, vpc)).containsExactly("10.0.0.0/16", "100.64.0.0/16");
    String subnet = world.subnet(vpc, "100.64.1.0/24");
    assertThat(world.createInterface(subnet).text("privateIpAddress")).contains("100.64.1.4");
    world
        .interfaces("subnet-id", subnet)
        .forEach(
            shown ->
                world.call(
                    "DeleteNetworkInterface",
                    "NetworkInterfaceId=" + shown.text("networkInterfaceId").orElseThrow()));
    world.call("DeleteSubnet", "SubnetId=" + subnet);
    Answer ended =
        World.at(
            world.call(
                "DisassociateVpcCidrBlock",
                "AssociationId=" + made.text("associationId").orElseThrow()),
            "cidrBlockAssociation");
    assertThat(ended.nested("cidrBlockState").orElseThrow().text("state"))
        .contains("disassociating");
    assertThat(blocks(world, vpc)).containsExactly("10.0.0.0/16");
    assertThat(routes(world, vpc)).containsExactly("10.0.0.0/16");
  }

  @Test
  @DisplayName("A VPC gets an IPv6 block later")
  void ipv6() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/16");
    Answer made =
        World.at(
            world.call("AssociateVpcCidrBlock", "VpcId=" + vpc, "AmazonProvidedIpv6CidrBlock=true"),
            "ipv6CidrBlockAssociation");
    String block = made.text("ipv6CidrBlock").orElseThrow();
    assertThat(block).endsWith("/56");
    world.call(
        "CreateSubnet",
        "VpcId=" + vpc,
        "CidrBlock=10.0.1.0/24&Ipv6CidrBlock=" + block.replace("/56", "/64"));
    assertThat(disassociate(world, made.text("associationId").orElseThrow()).code())
        .isEqualTo("InvalidCidrBlock.InUse");
  }

  private static Ec2Error disassociate(World world, String id) {
    return world.refusal("DisassociateVpcCidrBlock", "AssociationId=" + id);
  }

  private static List<String> blocks(World world, String vpc) {
    return World.texts(
        world.call("DescribeVpcs", "VpcId.1=" + vpc).structures("vpcSet").get(0),
        "cidrBlockAssociationSet",
        "cidrBlock");
  }

  private static List<String> routes(World world, String vpc) {
    return World.texts(
        World.at(
            world.call("DescribeRouteTables", "Filter.1.Name=vpc-id&Filter.1.Value.1=" + vpc),
            "routeTableSet.0"),
        "routeSet",
        "destinationCidrBlock");
  }
}
