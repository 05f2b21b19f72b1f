package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Further blocks of a VPC follow EC2's rules")
class VpcBlockRulesTest {
  private static final String SOURCE = "VPC CIDR blocks, VPC User Guide";

  static Stream<Rule> rules() {
    return Stream.of(
        refused("a block is a /16 to a /28", "10.0.0.0/16", "100.64.0.0/15", "is invalid"),
        refused("nor smaller", "10.0.0.0/16", "100.64.0.0/29", "is invalid"),
        refused("blocks do not overlap", "10.0.0.0/16", "10.0.128.0/17", "overlaps"),
        refused("beside 10/8 no 172.16/12", "10.0.0.0/16", "172.20.0.0/16", "is restricted"),
        refused("beside 10/8 no 192.168/16", "10.0.0.0/16", "192.168.0.0/16", "is restricted"),
        refused("beside 172.16/12 no 10/8", "172.16.0.0/16", "10.0.0.0/16", "is restricted"),
        refused("beside 192.168/16 no 10/8", "192.168.0.0/16", "10.0.0.0/16", "is restricted"),
        refused("beside 100.64/10 no private range", "100.64.0.0/16", "10.0.0.0/16", "restricted"),
        refused("198.19/16 beside itself alone", "10.0.0.0/16", "198.19.0.0/20", "is restricted"),
        new Rule(
            "Amazon VPC quotas",
            "a VPC has five IPv4 blocks at most",
            w -> {
              String vpc = w.vpc("10.0.0.0/16");
              for (int i = 1; i <= 4; i++) {
                associate(w, vpc, "10." + i + ".0.0/16");
              }
              return w.refusal("AssociateVpcCidrBlock", "VpcId=" + vpc, "CidrBlock=10.9.0.0/16");
            },
            "CidrLimitExceeded",
            "maximum number of allowed CIDRs: 5"),
        new Rule(
            "AssociateVpcCidrBlock",
            "a block or IPv6 must be asked for",
            w -> w.refusal("AssociateVpcCidrBlock", "VpcId=" + w.vpc("10.0.0.0/16")),
            "MissingParameter",
            "cidrBlock"),
        new Rule(
            "AssociateVpcCidrBlock",
            "and not both",
            w ->
                w.refusal(
                    "AssociateVpcCidrBlock",
                    "VpcId=" + w.vpc("10.0.0.0/16"),
                    "CidrBlock=10.1.0.0/16&AmazonProvidedIpv6CidrBlock=true"),
            "InvalidParameterCombination",
            "cidrBlock cannot be used"),
        new Rule(
            "DisassociateVpcCidrBlock",
            "the block that the VPC was made with stays",
            w -> {
              w.vpc("10.0.0.0/16");
              return disassociate(w, ids(w, "10.0.0.0/16").get(0));
            },
            "OperationNotPermitted",
            "primary IPv4 CIDR block"),
        new Rule(
            "DisassociateVpcCidrBlock; public logs",
            "a block with a subnet stays",
            w -> {
              String vpc = w.vpc("10.0.0.0/16");
              String id = associate(w, vpc, "10.1.0.0/16");
              w.subnet(vpc, "10.1.2.0/24");
              return disassociate(w, id);
            },
            "InvalidCidrBlock.InUse",
            "currently has a subnet within CIDR block 10.1.0.0/16"),
        new Rule(
            "public clients",
            "the association exists",
            w -> disassociate(w, "vpc-cidr-assoc-0123456789abcdef0"),
            "InvalidVpcCidrBlockAssociationID.NotFound",
            "does not exist"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void forbidden(Rule rule) {
    rule.check();
  }

  @Test
  @DisplayName("A further block is listed, has subnets, is routed locally and can be taken off")
  void life() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/16");
    Answer made =
        world
            .call("AssociateVpcCidrBlock", "VpcId=" + vpc, "CidrBlock=100.64.0.0/16")
            .nested("cidrBlockAssociation")
            .orElseThrow();
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
        world
            .call(
                "DisassociateVpcCidrBlock",
                "AssociationId=" + made.text("associationId").orElseThrow())
            .nested("cidrBlockAssociation")
            .orElseThrow();
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
        world
            .call("AssociateVpcCidrBlock", "VpcId=" + vpc, "AmazonProvidedIpv6CidrBlock=true")
            .nested("ipv6CidrBlockAssociation")
            .orElseThrow();
    String block = made.text("ipv6CidrBlock").orElseThrow();
    assertThat(block).endsWith("/56");
    world.call(
        "CreateSubnet",
        "VpcId=" + vpc,
        "CidrBlock=10.0.1.0/24&Ipv6CidrBlock=" + block.replace("/56", "/64"));
    assertThat(disassociate(world, made.text("associationId").orElseThrow()).code())
        .isEqualTo("InvalidCidrBlock.InUse");
  }

  private static Rule refused(String says, String primary, String further, String fragment) {
    return new Rule(
        SOURCE,
        says,
        w -> w.refusal("AssociateVpcCidrBlock", "VpcId=" + w.vpc(primary), "CidrBlock=" + further),
        "InvalidVpc.Range",
        fragment);
  }

  private static String associate(World world, String vpc, String block) {
    return world
        .call("AssociateVpcCidrBlock", "VpcId=" + vpc, "CidrBlock=" + block)
        .nested("cidrBlockAssociation")
        .orElseThrow()
        .text("associationId")
        .orElseThrow();
  }

  private static Ec2Error disassociate(World world, String id) {
    return world.refusal("DisassociateVpcCidrBlock", "AssociationId=" + id);
  }

  private static List<String> ids(World world, String primary) {
    return World.texts(
        world
            .call("DescribeVpcs", "Filter.1.Name=cidr&Filter.1.Value.1=" + primary)
            .structures("vpcSet")
            .get(0),
        "cidrBlockAssociationSet",
        "associationId");
  }

  private static List<String> blocks(World world, String vpc) {
    return World.texts(
        world.call("DescribeVpcs", "VpcId.1=" + vpc).structures("vpcSet").get(0),
        "cidrBlockAssociationSet",
        "cidrBlock");
  }

  private static List<String> routes(World world, String vpc) {
    return World.texts(
        world
            .call("DescribeRouteTables", "Filter.1.Name=vpc-id&Filter.1.Value.1=" + vpc)
            .structures("routeTableSet")
            .get(0),
        "routeSet",
        "destinationCidrBlock");
  }
}
