package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;
import static io.tidemark.it.localstack.SdkValues.tag;

import io.tidemark.it.localstack.Question.Topic;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.VpcCidrBlockAssociation;

/** VPCs, subnets, security groups and route tables. */
final class NetworkQuestions {
  private static final Topic VPC = new Topic("VPCs");
  private static final Topic SUBNET = new Topic("Subnets");
  private static final Topic GROUP = new Topic("Security groups");
  private static final Topic ROUTE = new Topic("Route tables");
  private static final String SIZES = "VPC CIDR blocks (VPC User Guide)";
  private static final String DEPENDENCY = "EC2 error codes, DependencyViolation";

  private NetworkQuestions() {}

  static List<Question> all() {
    return List.of(
        VPC.does("A VPC of a /8?", SIZES + ": /16 to /28", s -> s.vpc("10.0.0.0/8")),
        VPC.does(
            "A sixth VPC?",
            "Amazon VPC quotas: five VPCs per region",
            s -> IntStream.range(0, 6).forEach(i -> s.vpc("10." + i + ".0.0/16"))),
        VPC.does(
            "A VPC deleted that has a subnet?",
            DEPENDENCY,
            s -> {
              s.subnet();
              s.ec2().deleteVpc(r -> r.vpcId(s.vpc()));
            }),
        VPC.asks(
            "A subnet in a secondary block?",
            SIZES + ": secondary blocks",
            s -> {
              associate(s, "100.64.0.0/16");
              return s.free(s.subnet("100.64.1.0/24"));
            }),
        VPC.asks(
            "How many blocks does a VPC list after one was added to one?",
            "Vpc, cidrBlockAssociationSet",
            s -> {
              associate(s, "10.1.0.0/16");
              return blocks(s).size();
            }),
        VPC.asks(
            "Which state does the answer to an association tell?",
            "AssociateVpcCidrBlock, example: associating",
            s -> associate(s, "10.1.0.0/16").cidrBlockState().stateAsString()),
        VPC.does(
            "A secondary block that overlaps with the primary one?",
            SIZES + ": blocks do not overlap",
            s -> associate(s, "10.0.128.0/17")),
        VPC.does(
            "A secondary block of a /8?", SIZES + ": /16 to /28", s -> associate(s, "100.0.0.0/8")),
        VPC.does(
            "A fifth secondary block?",
            "Amazon VPC quotas: five IPv4 blocks per VPC",
            s -> IntStream.rangeClosed(1, 5).forEach(i -> associate(s, "10." + i + ".0.0/16"))),
        VPC.does(
            "A secondary block of 192.168.0.0/16 beside 10.0.0.0/16?",
            SIZES + ": restricted ranges",
            s -> associate(s, "192.168.0.0/16")),
        VPC.does(
            "A secondary block taken off while a subnet is in it?",
            "DisassociateVpcCidrBlock: first delete what is associated with the block",
            s -> {
              String id = associate(s, "10.1.0.0/16").associationId();
              s.subnet("10.1.1.0/24");
              s.ec2().disassociateVpcCidrBlock(r -> r.associationId(id));
            }),
        VPC.does(
            "The primary block taken off?",
            "DisassociateVpcCidrBlock: not the block that the VPC was made with",
            s -> {
              String id = blocks(s).get(0).associationId();
              s.ec2().disassociateVpcCidrBlock(r -> r.associationId(id));
            }),
        SUBNET.does(
            "A subnet outside of its VPC?",
            "EC2 error codes, InvalidSubnet.Range",
            s -> s.subnet("10.1.0.0/24")),
        SUBNET.does(
            "Two subnets that overlap?",
            "EC2 error codes, InvalidSubnet.Conflict",
            s -> {
              s.subnet();
              s.subnet("10.0.1.128/25");
            }),
        SUBNET.does(
            "A /29 subnet?",
            "Subnet CIDR blocks (VPC User Guide): /28 to /16",
            s -> s.subnet("10.0.1.0/29")),
        SUBNET.does(
            "A subnet deleted that has an interface?",
            DEPENDENCY,
            s -> {
              s.eni();
              s.ec2().deleteSubnet(r -> r.subnetId(s.subnet()));
            }),
        SUBNET.does(
            "A subnet in a zone that does not exist?",
            "CreateSubnet, AvailabilityZone",
            s -> s.subnet("10.0.1.0/24", "us-east-1q")),
        GROUP.does(
            "A group deleted that an interface has?",
            DEPENDENCY,
            s -> {
              String group = s.group("pods");
              s.eni(r -> r.groups(group));
              s.ec2().deleteSecurityGroup(r -> r.groupId(group));
            }),
        GROUP.does(
            "The default group deleted?",
            "EC2 error codes, CannotDelete",
            s -> {
              String group =
                  s.ec2()
                      .describeSecurityGroups(r -> r.filters(filter("vpc-id", s.vpc())))
                      .securityGroups()
                      .get(0)
                      .groupId();
              s.ec2().deleteSecurityGroup(r -> r.groupId(group));
            }),
        GROUP.does(
            "Two groups of one name in a VPC?",
            "EC2 error codes, InvalidGroup.Duplicate",
            s -> {
              s.group("pods");
              s.group("pods");
            }),
        GROUP.asks(
            "How many groups can a VPC use that has one besides its own?",
            "GetSecurityGroupsForVpc",
            s -> {
              s.group("pods");
              return s.ec2()
                  .getSecurityGroupsForVpc(r -> r.vpcId(s.vpc()))
                  .securityGroupForVpcs()
                  .size();
            }),
        ROUTE.does(
            "The main route table deleted?",
            DEPENDENCY,
            s -> {
              String main =
                  s.ec2()
                      .describeRouteTables(r -> r.filters(filter("vpc-id", s.vpc())))
                      .routeTables()
                      .get(0)
                      .routeTableId();
              s.ec2().deleteRouteTable(r -> r.routeTableId(main));
            }),
        ROUTE.does(
            "A subnet associated with two route tables?",
            "EC2 error codes, Resource.AlreadyAssociated",
            s -> {
              for (int i = 0; i < 2; i++) {
                String table = table(s);
                s.ec2().associateRouteTable(r -> r.routeTableId(table).subnetId(s.subnet()));
              }
            }),
        ROUTE.does(
            "A route table deleted that a subnet uses?",
            DEPENDENCY,
            s -> {
              String table = table(s);
              s.ec2().associateRouteTable(r -> r.routeTableId(table).subnetId(s.subnet()));
              s.ec2().deleteRouteTable(r -> r.routeTableId(table));
            }),
        ROUTE.asks(
            "Is a subnet's route table found by it before and after it is associated?",
            "DescribeRouteTables, filter association.subnet-id: explicit associations",
            s -> {
              int before = tables(s);
              s.ec2().associateRouteTable(r -> r.routeTableId(table(s)).subnetId(s.subnet()));
              return before + " and " + tables(s);
            }),
        SUBNET.asks(
            "Is a subnet found by its tag and its VPC, with the zone that was asked for?",
            "DescribeSubnets, filters tag:key and vpc-id",
            s -> {
              String subnet = s.subnet("10.0.1.0/24", Scene.OTHER_ZONE);
              s.ec2().createTags(r -> r.resources(subnet).tags(tag("owner", s.account())));
              return s
                  .ec2()
                  .describeSubnets(
                      r -> r.filters(filter("vpc-id", s.vpc()), filter("tag:owner", s.account())))
                  .subnets()
                  .stream()
                  .anyMatch(each -> each.availabilityZone().equals(Scene.OTHER_ZONE));
            }),
        SUBNET.asks(
            "How many default subnets has a new account in its first three zones?",
            "Default VPCs (VPC User Guide): one in each Availability Zone",
            s -> {
              String vpc =
                  s.ec2()
                      .describeVpcs(r -> r.filters(filter("is-default", "true")))
                      .vpcs()
                      .get(0)
                      .vpcId();
              return s
                  .ec2()
                  .describeSubnets(r -> r.filters(filter("vpc-id", vpc)))
                  .subnets()
                  .stream()
                  .filter(one -> one.availabilityZone().matches("us-east-1[abc]"))
                  .count();
            }),
        SUBNET.asks(
            "A launch without a subnet: in the default VPC?",
            "Default VPCs (VPC User Guide)",
            s -> {
              String vpc = s.launched(r -> r.instanceType(InstanceType.M5_LARGE)).vpcId();
              return s.ec2().describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).isDefault();
            }));
  }

  private static String table(Scene s) {
    return s.ec2().createRouteTable(r -> r.vpcId(s.vpc())).routeTable().routeTableId();
  }

  private static int tables(Scene s) {
    return s.ec2()
        .describeRouteTables(r -> r.filters(filter("association.subnet-id", s.subnet())))
        .routeTables()
        .size();
  }

  private static VpcCidrBlockAssociation associate(Scene s, String block) {
    return s.ec2()
        .associateVpcCidrBlock(r -> r.vpcId(s.vpc()).cidrBlock(block))
        .cidrBlockAssociation();
  }

  private static List<VpcCidrBlockAssociation> blocks(Scene s) {
    return s.ec2().describeVpcs(r -> r.vpcIds(s.vpc())).vpcs().get(0).cidrBlockAssociationSet();
  }
}
