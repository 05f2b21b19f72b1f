package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.protocol.Answer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("VPCs, subnets, groups and tags follow EC2's rules")
class NetworkRulesTest {
  @Test
  @DisplayName("Every account has a default VPC with a /20 subnet in each zone (VPC User Guide)")
  void defaults() {
    World world = new World();
    Answer subnets = world.call("DescribeSubnets");
    assertThat(World.texts(subnets, "subnetSet", "cidrBlock"))
        .containsExactly("172.31.0.0/20", "172.31.16.0/20", "172.31.32.0/20");
    assertThat(World.texts(subnets, "subnetSet", "availabilityZoneId"))
        .containsExactly("use1-az1", "use1-az2", "use1-az3");
    assertThat(World.texts(subnets, "subnetSet", "availableIpAddressCount")).containsOnly("4091");
    world.as("222222222222");
    assertThat(World.texts(world.call("DescribeVpcs"), "vpcSet", "ownerId"))
        .containsExactly("222222222222");
  }

  @Test
  @DisplayName("A block with host bits is put into its canonical form (CreateVpc, CidrBlock)")
  void canonical() {
    Answer vpc = new World().call("CreateVpc", "CidrBlock=100.68.0.18/18");
    assertThat(vpc.nested("vpc").orElseThrow().text("cidrBlock")).contains("100.68.0.0/18");
  }

  @Test
  @DisplayName("The quota of VPCs per region (Amazon VPC quotas); the default VPC counts")
  void quota() {
    World world = new World(World.options().withQuota(Quota.VPCS, 2));
    world.vpc("10.0.0.0/24");
    assertThat(world.refusal("CreateVpc", "CidrBlock=10.1.0.0/24").code())
        .isEqualTo("VpcLimitExceeded");
  }

  @Test
  @DisplayName("DeleteTags: by key, by key and value, or all; what is not there is no error")
  void deleteTags() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/24");
    for (String key : List.of("a", "b", "c", "d")) {
      world.call("CreateTags", "ResourceId.1=" + vpc, "Tag.1.Key=" + key, "Tag.1.Value=1");
    }
    world.call("DeleteTags", "ResourceId.1=" + vpc, "Tag.1.Key=a");
    world.call("DeleteTags", "ResourceId.1=" + vpc, "Tag.1.Key=b&Tag.1.Value=2");
    world.call("DeleteTags", "ResourceId.1=" + vpc, "Tag.1.Key=c&Tag.1.Value=1");
    world.call("DeleteTags", "ResourceId.1=" + vpc, "Tag.1.Key=zzz");
    assertThat(World.texts(world.call("DescribeTags"), "tagSet", "key")).containsExactly("b", "d");
    world.call("DeleteTags", "ResourceId.1=" + vpc);
    assertThat(world.call("DescribeTags").structures("tagSet")).isEmpty();
  }

  @Test
  @DisplayName("Every character that EC2 allows is taken in a group's name and description")
  void groupCharacters() {
    World world = new World();
    String text = "azAZ09 ._-:/()#,@[]+=&;{}!$*";
    world.call("CreateSecurityGroup", "GroupName=" + text, "GroupDescription=" + text);
    assertThat(
            World.texts(
                world.call("DescribeSecurityGroups", "GroupName.1=" + text),
                "securityGroupInfo",
                "groupDescription"))
        .containsExactly(text);
  }

  @Test
  @DisplayName("Groups of a VPC with an IPv6 block let everything out to IPv6 addresses too")
  void ipv6Egress() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/24");
    String group = world.defaultGroup(vpc);
    assertThat(ipv6Egress(world, group)).isEmpty();
    world.call("AssociateVpcCidrBlock", "VpcId=" + vpc, "AmazonProvidedIpv6CidrBlock=true");
    assertThat(ipv6Egress(world, group)).containsExactly("::/0");
    assertThat(ipv6Egress(world, world.group(vpc, "pods"))).containsExactly("::/0");
  }

  private static List<String> ipv6Egress(World world, String group) {
    return World.at(
            world.call("DescribeSecurityGroups", "GroupId.1=" + group), "securityGroupInfo.0")
        .structures("ipPermissionsEgress")
        .stream()
        .flatMap(rule -> World.texts(rule, "ipv6Ranges", "cidrIpv6").stream())
        .toList();
  }

  @Test
  @DisplayName("Regions are listed, those to opt in to when all are asked for or by their names")
  void regions() {
    World world = new World();
    List<String> enabled = regionsOf(world);
    assertThat(enabled)
        .hasSize(17)
        .contains(World.REGION, "eu-west-1")
        .doesNotContain("me-south-1");
    assertThat(regionsOf(world, "AllRegions=true")).containsAll(enabled).contains("me-south-1");
    assertThat(regionsOf(world, "RegionName.1=me-south-1")).containsExactly("me-south-1");
    assertThat(regionsOf(world, World.filter(1, "region-name", "eu-central-*")))
        .containsExactly("eu-central-1");
    assertThat(world.refusal("DescribeRegions", "RegionName.1=us-moon-1").code())
        .isEqualTo("InvalidParameterValue");
    Answer own =
        world.call("DescribeRegions", "RegionName.1=us-east-1").structures("regionInfo").get(0);
    assertThat(own.text("regionEndpoint")).contains("ec2.us-east-1.amazonaws.com");
    assertThat(own.text("optInStatus")).contains("opt-in-not-required");
  }

  private static List<String> regionsOf(World world, String... parameters) {
    return World.texts(world.call("DescribeRegions", parameters), "regionInfo", "regionName");
  }
}
