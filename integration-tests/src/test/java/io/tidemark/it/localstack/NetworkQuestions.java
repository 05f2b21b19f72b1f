package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;

import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.VpcCidrBlockAssociation;

/** VPCs, subnets, security groups and route tables. */
final class NetworkQuestions {
  private static final String SIZES = "VPC CIDR blocks (VPC User Guide)";
  private static final String DEPENDENCY = "EC2 error codes, DependencyViolation";

  private NetworkQuestions() {}

  static List<Question> all() {
    return List.of(
        vpc("A VPC of a /8?", SIZES + ": /16 to /28", s -> done(s.vpc("10.0.0.0/8"))),
        vpc(
            "A sixth VPC?",
            "Amazon VPC quotas: five VPCs per region",
            s -> {
              IntStream.range(0, 6).forEach(i -> s.vpc("10." + i + ".0.0/16"));
              return "done";
            }),
        vpc(
            "A VPC deleted that has a subnet?",
            DEPENDENCY,
            s -> {
              String vpc = s.vpcOf(s.subnet("10.0.1.0/24"));
              return done(s.ec2().deleteVpc(r -> r.vpcId(vpc)));
            }),
        vpc(
            "A subnet in a secondary block?",
            SIZES + ": secondary blocks",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              associate(s, vpc, "100.64.0.0/16");
              return s.free(s.subnet(vpc, "100.64.1.0/24"));
            }),
        vpc(
            "How many blocks does a VPC list after one was added to one?",
            "Vpc, cidrBlockAssociationSet",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              associate(s, vpc, "10.1.0.0/16");
              return blocks(s, vpc).size();
            }),
        vpc(
            "Which state does the answer to an association tell?",
            "AssociateVpcCidrBlock, example: associating",
            s ->
                associate(s, s.vpc("10.0.0.0/16"), "10.1.0.0/16").cidrBlockState().stateAsString()),
        vpc(
            "A secondary block that overlaps with the primary one?",
            SIZES + ": blocks do not overlap",
            s -> done(associate(s, s.vpc("10.0.0.0/16"), "10.0.128.0/17"))),
        vpc(
            "A secondary block of a /8?",
            SIZES + ": /16 to /28",
            s -> done(associate(s, s.vpc("10.0.0.0/16"), "100.0.0.0/8"))),
        vpc(
            "A fifth secondary block?",
            "Amazon VPC quotas: five IPv4 blocks per VPC",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              IntStream.rangeClosed(1, 5).forEach(i -> associate(s, vpc, "10." + i + ".0.0/16"));
              return "done";
            }),
        vpc(
            "A secondary block of 192.168.0.0/16 beside 10.0.0.0/16?",
            SIZES + ": restricted ranges",
            s -> done(associate(s, s.vpc("10.0.0.0/16"), "192.168.0.0/16"))),
        vpc(
            "A secondary block taken off while a subnet is in it?",
            "DisassociateVpcCidrBlock: first delete what is associated with the block",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              String id = associate(s, vpc, "10.1.0.0/16").associationId();
              s.subnet(vpc, "10.1.1.0/24");
              return done(s.ec2().disassociateVpcCidrBlock(r -> r.associationId(id)));
            }),
        vpc(
            "The primary block taken off?",
            "DisassociateVpcCidrBlock: not the block that the VPC was made with",
            s -> {
              String id = blocks(s, s.vpc("10.0.0.0/16")).get(0).associationId();
              return done(s.ec2().disassociateVpcCidrBlock(r -> r.associationId(id)));
            }),
        subnet(
            "A subnet outside of its VPC?",
            "EC2 error codes, InvalidSubnet.Range",
            s -> done(s.subnet(s.vpc("10.0.0.0/16"), "10.1.0.0/24"))),
        subnet(
            "Two subnets that overlap?",
            "EC2 error codes, InvalidSubnet.Conflict",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              s.subnet(vpc, "10.0.1.0/24");
              return done(s.subnet(vpc, "10.0.1.128/25"));
            }),
        subnet(
            "A /29 subnet?",
            "Subnet CIDR blocks (VPC User Guide): /28 to /16",
            s -> done(s.subnet("10.0.1.0/29"))),
        subnet(
            "A subnet deleted that has an interface?",
            DEPENDENCY,
            s -> {
              String subnet = s.subnet("10.0.1.0/24");
              s.eni(subnet);
              return done(s.ec2().deleteSubnet(r -> r.subnetId(subnet)));
            }),
        subnet(
            "A subnet in a zone that does not exist?",
            "CreateSubnet, AvailabilityZone",
            s -> done(s.subnet(s.vpc("10.0.0.0/16"), "10.0.1.0/24", "us-east-1q"))),
        group(
            "A group deleted that an interface has?",
            DEPENDENCY,
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              String group = s.group(vpc, "pods");
              s.eni(s.subnet(vpc, "10.0.1.0/24"), r -> r.groups(group));
              return done(s.ec2().deleteSecurityGroup(r -> r.groupId(group)));
            }),
        group(
            "The default group deleted?",
            "EC2 error codes, CannotDelete",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              String group =
                  s.ec2()
                      .describeSecurityGroups(r -> r.filters(filter("vpc-id", vpc)))
                      .securityGroups()
                      .get(0)
                      .groupId();
              return done(s.ec2().deleteSecurityGroup(r -> r.groupId(group)));
            }),
        group(
            "Two groups of one name in a VPC?",
            "EC2 error codes, InvalidGroup.Duplicate",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              s.group(vpc, "pods");
              return done(s.group(vpc, "pods"));
            }),
        group(
            "How many groups can a VPC use that has one besides its own?",
            "GetSecurityGroupsForVpc",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              s.group(vpc, "pods");
              return s.ec2()
                  .getSecurityGroupsForVpc(r -> r.vpcId(vpc))
                  .securityGroupForVpcs()
                  .size();
            }),
        route(
            "The main route table deleted?",
            DEPENDENCY,
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              String main =
                  s.ec2()
                      .describeRouteTables(r -> r.filters(filter("vpc-id", vpc)))
                      .routeTables()
                      .get(0)
                      .routeTableId();
              return done(s.ec2().deleteRouteTable(r -> r.routeTableId(main)));
            }),
        route(
            "A subnet associated with two route tables?",
            "EC2 error codes, Resource.AlreadyAssociated",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              String subnet = s.subnet(vpc, "10.0.1.0/24");
              for (int i = 0; i < 2; i++) {
                String table =
                    s.ec2().createRouteTable(r -> r.vpcId(vpc)).routeTable().routeTableId();
                s.ec2().associateRouteTable(r -> r.routeTableId(table).subnetId(subnet));
              }
              return "done";
            }),
        route(
            "A route table deleted that a subnet uses?",
            DEPENDENCY,
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              String subnet = s.subnet(vpc, "10.0.1.0/24");
              String table =
                  s.ec2().createRouteTable(r -> r.vpcId(vpc)).routeTable().routeTableId();
              s.ec2().associateRouteTable(r -> r.routeTableId(table).subnetId(subnet));
              return done(s.ec2().deleteRouteTable(r -> r.routeTableId(table)));
            }),
        subnet(
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
        subnet(
            "A launch without a subnet: in the default VPC?",
            "Default VPCs (VPC User Guide)",
            s -> {
              String vpc = s.launched(r -> r.instanceType(InstanceType.M5_LARGE)).vpcId();
              return s.ec2().describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).isDefault();
            }));
  }

  private static VpcCidrBlockAssociation associate(Scene s, String vpc, String block) {
    return s.ec2().associateVpcCidrBlock(r -> r.vpcId(vpc).cidrBlock(block)).cidrBlockAssociation();
  }

  private static List<VpcCidrBlockAssociation> blocks(Scene s, String vpc) {
    return s.ec2().describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).cidrBlockAssociationSet();
  }

  private static String done(Object answer) {
    return answer == null ? "no answer" : "done";
  }

  private static Question vpc(String text, String rule, Question.Ask ask) {
    return new Question("VPCs", text, rule, ask);
  }

  private static Question subnet(String text, String rule, Question.Ask ask) {
    return new Question("Subnets", text, rule, ask);
  }

  private static Question group(String text, String rule, Question.Ask ask) {
    return new Question("Security groups", text, rule, ask);
  }

  private static Question route(String text, String rule, Question.Ask ask) {
    return new Question("Route tables", text, rule, ask);
  }
}
