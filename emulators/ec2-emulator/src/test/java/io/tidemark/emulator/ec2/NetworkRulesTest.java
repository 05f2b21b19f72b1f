package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Quotas;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("VPCs, subnets, groups and tags follow EC2's rules")
class NetworkRulesTest {
  static Stream<Rule> rules() {
    return Stream.of(
        new Rule(
            "EC2 error codes, InvalidVpcRange",
            "a VPC's block is a /16 to a /28",
            w -> w.refusal("CreateVpc", "CidrBlock=10.0.0.0/8"),
            "InvalidVpc.Range",
            "10.0.0.0/8"),
        new Rule(
            "public logs",
            "a block is a block",
            w -> w.refusal("CreateVpc", "CidrBlock=10.0.0.0"),
            "InvalidParameterValue",
            "Value (10.0.0.0) for parameter cidrBlock is invalid. This is not a valid CIDR block."),
        new Rule(
            "EC2 error codes, InvalidSubnet.Range",
            "a subnet lies in its VPC",
            w ->
                w.refusal("CreateSubnet", "VpcId=" + w.vpc("10.0.0.0/16"), "CidrBlock=10.1.0.0/24"),
            "InvalidSubnet.Range",
            "The CIDR '10.1.0.0/24' is invalid."),
        new Rule(
            "EC2 error codes, InvalidSubnet.Conflict",
            "subnets do not overlap",
            w -> {
              String vpc = w.vpc("10.0.0.0/16");
              w.subnet(vpc, "10.0.0.0/24");
              return w.refusal("CreateSubnet", "VpcId=" + vpc, "CidrBlock=10.0.0.128/25");
            },
            "InvalidSubnet.Conflict",
            "conflicts with another subnet"),
        new Rule(
            "public logs",
            "a zone is one of the region",
            w ->
                w.refusal(
                    "CreateSubnet",
                    "VpcId=" + w.vpc("10.0.0.0/16"),
                    "CidrBlock=10.0.0.0/24&AvailabilityZone=us-east-1z"),
            "InvalidParameterValue",
            "us-east-1a, us-east-1b, us-east-1c."),
        new Rule(
            "EC2 error codes, DependencyViolation",
            "a subnet with an interface is not deleted",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              w.interfaceId(subnet);
              return w.refusal("DeleteSubnet", "SubnetId=" + subnet);
            },
            "DependencyViolation",
            "has dependencies and cannot be deleted."),
        new Rule(
            "EC2 error codes, DependencyViolation",
            "a VPC with a subnet is not deleted",
            w -> {
              String vpc = w.vpc("10.0.0.0/24");
              w.subnet(vpc, "10.0.0.0/24");
              return w.refusal("DeleteVpc", "VpcId=" + vpc);
            },
            "DependencyViolation",
            "The vpc '"),
        new Rule(
            "EC2 error codes, InvalidGroup.Duplicate",
            "a group's name is used once in a VPC",
            w -> {
              String vpc = w.vpc("10.0.0.0/24");
              group(w, vpc, "pods");
              return w.refusal(
                  "CreateSecurityGroup", "GroupName=pods&GroupDescription=d&VpcId=" + vpc);
            },
            "InvalidGroup.Duplicate",
            "The security group 'pods' already exists for VPC"),
        new Rule(
            "EC2 error codes, InvalidGroup.Reserved",
            "the name default is reserved",
            w -> w.refusal("CreateSecurityGroup", "GroupName=default&GroupDescription=d"),
            "InvalidGroup.Reserved",
            "default"),
        new Rule(
            "CreateSecurityGroup, GroupDescription",
            "a group has a description",
            w -> w.refusal("CreateSecurityGroup", "GroupName=n&GroupDescription="),
            "MissingParameter",
            "The request must contain the parameter groupDescription"),
        new Rule(
            "CreateSecurityGroup, GroupName",
            "a group has a name",
            w -> w.refusal("CreateSecurityGroup", "GroupName=&GroupDescription=d"),
            "MissingParameter",
            "The request must contain the parameter groupName"),
        new Rule(
            "CreateSecurityGroup, GroupDescription",
            "a description has up to 255 characters",
            w ->
                w.refusal("CreateSecurityGroup", "GroupName=n&GroupDescription=" + "d".repeat(256)),
            "InvalidParameterValue",
            "Invalid security group description."),
        new Rule(
            "CreateSecurityGroup, GroupDescription",
            "a description has characters of a set",
            w -> w.refusal("CreateSecurityGroup", "GroupName=n&GroupDescription=<d>"),
            "InvalidParameterValue",
            "Invalid security group description."),
        new Rule(
            "CreateSecurityGroup, GroupName",
            "a name has ASCII characters of a set",
            w -> w.refusal("CreateSecurityGroup", "GroupName=pöds&GroupDescription=d"),
            "InvalidParameterValue",
            "Invalid security group name."),
        new Rule(
            "CreateSecurityGroup, GroupName",
            "a name does not look like an id",
            w -> w.refusal("CreateSecurityGroup", "GroupName=sg-1&GroupDescription=d"),
            "InvalidParameterValue",
            "sg-*"),
        new Rule(
            "EC2 error codes, CannotDelete",
            "the default group is not deleted",
            w ->
                w.refusal("DeleteSecurityGroup", "GroupId=" + w.defaultGroup(w.vpc("10.0.0.0/24"))),
            "CannotDelete",
            "cannot be deleted by a user"),
        new Rule(
            "EC2 error codes, DependencyViolation",
            "a group in use is not deleted",
            w -> {
              String vpc = w.vpc("10.0.0.0/24");
              String group = group(w, vpc, "pods");
              w.interfaceId(w.subnet(vpc, "10.0.0.0/24"), "SecurityGroupId.1=" + group);
              return w.refusal("DeleteSecurityGroup", "GroupId=" + group);
            },
            "DependencyViolation",
            "has a dependent object"),
        new Rule(
            "Tag restrictions, EC2 User Guide",
            "keys that start with aws: are reserved",
            w -> tag(w, "aws:owner", "x"),
            "InvalidParameterValue",
            "Tag keys starting with 'aws:' are reserved for internal use"),
        new Rule(
            "Tag restrictions, EC2 User Guide",
            "a key has 127 characters at most",
            w -> tag(w, "k".repeat(128), "x"),
            "InvalidParameterValue",
            "is not valid"),
        new Rule(
            "public logs",
            "a tag has a value",
            w -> w.refusal("CreateTags", "ResourceId.1=" + w.vpc("10.0.0.0/24"), "Tag.1.Key=k"),
            "InvalidParameterValue",
            "Tag value cannot be null. Use empty string instead."),
        new Rule(
            "EC2 error codes, TagLimitExceeded",
            "a resource has 50 tags at most",
            w -> {
              String tags =
                  IntStream.rangeClosed(1, 51)
                      .mapToObj(i -> "Tag." + i + ".Key=k" + i + "&Tag." + i + ".Value=v")
                      .collect(Collectors.joining("&"));
              return w.refusal("CreateTags", "ResourceId.1=" + w.vpc("10.0.0.0/24"), tags);
            },
            "TagLimitExceeded",
            "The maximum number of Tags for a resource has been reached."),
        new Rule(
            "TagSpecification, ResourceType",
            "a creation tags what it makes",
            w ->
                w.refusal(
                    "CreateVpc",
                    "CidrBlock=10.0.0.0/24&TagSpecification.1.ResourceType=subnet",
                    "TagSpecification.1.Tag.1.Key=a&TagSpecification.1.Tag.1.Value=b"),
            "InvalidParameterValue",
            "'subnet' is not a valid taggable resource type for this operation."),
        new Rule(
            "EC2 error codes, InvalidID",
            "only resources are tagged",
            w -> w.refusal("CreateTags", "ResourceId.1=table-1&Tag.1.Key=a&Tag.1.Value=b"),
            "InvalidID",
            "The ID 'table-1' is not valid"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void refused(Rule rule) {
    rule.check();
  }

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
    World world = new World(World.options().withQuotas(Quotas.DEFAULT.withVpcs(2)));
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
    assertThat(ipv6Egress(world, group(world, vpc, "pods"))).containsExactly("::/0");
  }

  private static List<String> ipv6Egress(World world, String group) {
    return world
        .call("DescribeSecurityGroups", "GroupId.1=" + group)
        .structures("securityGroupInfo")
        .get(0)
        .structures("ipPermissionsEgress")
        .stream()
        .flatMap(rule -> World.texts(rule, "ipv6Ranges", "cidrIpv6").stream())
        .toList();
  }

  private static String group(World world, String vpc, String name) {
    return world
        .call("CreateSecurityGroup", "GroupName=" + name, "GroupDescription=d&VpcId=" + vpc)
        .text("groupId")
        .orElseThrow();
  }

  private static Ec2Error tag(World world, String key, String value) {
    return world.refusal(
        "CreateTags",
        "ResourceId.1=" + world.vpc("10.0.0.0/24"),
        "Tag.1.Key=" + key,
        "Tag.1.Value=" + value);
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
