package io.tidemark.provider.aws.ec2;

import static io.tidemark.provider.aws.ec2.Answers.cidr;
import static io.tidemark.provider.aws.ec2.Answers.list;
import static io.tidemark.provider.aws.ec2.Answers.number;
import static io.tidemark.provider.aws.ec2.Answers.optional;
import static io.tidemark.provider.aws.ec2.Answers.text;
import static io.tidemark.provider.aws.ec2.Answers.truth;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.ec2.model.RouteTableAssociation;
import software.amazon.awssdk.services.ec2.model.SecurityGroupForVpc;
import software.amazon.awssdk.services.ec2.model.VpcCidrBlockAssociation;

/** Reads subnets, VPCs, route tables and security groups (provider-aws 1.1 rows 6 to 9b). Pure. */
final class NetworkAnswers {
  private static final String ASSOCIATED = "associated";
  private static final String AVAILABLE = "available";

  private NetworkAnswers() {}

  /** The subnet; empty when its block cannot be read, as then nobody can use it. */
  static Optional<AwsSubnet> subnet(software.amazon.awssdk.services.ec2.model.Subnet answer) {
    return optional(answer.subnetId())
        .flatMap(
            id ->
                cidr(answer.cidrBlock())
                    .filter(block -> block.family() == IpFamily.IPV4)
                    .map(block -> subnet(new PoolId(id), block, answer)));
  }

  private static AwsSubnet subnet(
      PoolId id, Cidr block, software.amazon.awssdk.services.ec2.model.Subnet answer) {
    return new AwsSubnet(
        id,
        text(answer.vpcId()),
        block,
        list(answer.ipv6CidrBlockAssociationSet()).stream()
            .filter(
                each ->
                    each.ipv6CidrBlockState() != null
                        && ASSOCIATED.equals(each.ipv6CidrBlockState().stateAsString()))
            .map(each -> cidr(each.ipv6CidrBlock()))
            .flatMap(Optional::stream)
            .min(Cidr::compareTo),
        AVAILABLE.equals(answer.stateAsString()) && !truth(answer.ipv6Native()),
        text(answer.availabilityZone()),
        text(answer.availabilityZoneId()),
        text(answer.outpostArn()),
        Math.max(0, number(answer.availableIpAddressCount())),
        Answers.tags(answer.tags()));
  }

  static Optional<Vpc> vpc(software.amazon.awssdk.services.ec2.model.Vpc answer) {
    Optional<Cidr> primary = cidr(answer.cidrBlock());
    List<Cidr> further =
        list(answer.cidrBlockAssociationSet()).stream()
            .filter(NetworkAnswers::isAssociated)
            .map(each -> cidr(each.cidrBlock()))
            .flatMap(Optional::stream)
            .filter(block -> !primary.filter(block::equals).isPresent())
            .sorted()
            .toList();
    return optional(answer.vpcId()).map(id -> new Vpc(id, primary, further));
  }

  private static boolean isAssociated(VpcCidrBlockAssociation each) {
    return each.cidrBlockState() != null
        && ASSOCIATED.equals(each.cidrBlockState().stateAsString());
  }

  static Optional<RouteTable> routeTable(
      software.amazon.awssdk.services.ec2.model.RouteTable answer) {
    List<RouteTableAssociation> held =
        list(answer.associations()).stream().filter(NetworkAnswers::isAssociated).toList();
    Set<PoolId> subnets =
        held.stream()
            .map(each -> optional(each.subnetId()).map(PoolId::new))
            .flatMap(Optional::stream)
            .collect(Collectors.toSet());
    boolean main = held.stream().anyMatch(each -> truth(each.main()));
    return optional(answer.routeTableId())
        .map(id -> new RouteTable(id, text(answer.vpcId()), main, subnets));
  }

  /** Endpoints that leave the state out have associated what they list. */
  private static boolean isAssociated(RouteTableAssociation each) {
    return each.associationState() == null
        || ASSOCIATED.equals(each.associationState().stateAsString());
  }

  /** A shared group names its owner's VPC, so that the one it was asked for is kept. */
  static Optional<SecurityGroup> group(SecurityGroupForVpc answer, String queriedVpcId) {
    return optional(answer.groupId())
        .map(id -> new SecurityGroup(id, queriedVpcId, Answers.tags(answer.tags())));
  }

  static Optional<SecurityGroup> group(
      software.amazon.awssdk.services.ec2.model.SecurityGroup answer) {
    return optional(answer.groupId())
        .map(id -> new SecurityGroup(id, text(answer.vpcId()), Answers.tags(answer.tags())));
  }
}
