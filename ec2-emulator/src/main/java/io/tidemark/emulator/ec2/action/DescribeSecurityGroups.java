package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.SecurityGroup;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.IpFamily;
import java.util.List;

/** Lists security groups with the rules that they are made with. */
final class DescribeSecurityGroups implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("GroupId"),
          Field.texts("GroupName"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final Filters<SecurityGroup> FILTERS =
      new Filters<SecurityGroup>("DescribeSecurityGroups")
          .by("group-id", SecurityGroup::id)
          .by("group-name", SecurityGroup::name)
          .by("description", SecurityGroup::description)
          .by("owner-id", SecurityGroup::ownerId)
          .by("vpc-id", SecurityGroup::vpcId)
          .byTags(group -> group.tags().values());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Listing<SecurityGroup> listing =
        Listing.of(
            call, call.region().groups(), "GroupId", FILTERS, PageRequest.thousand("GroupId"));
    List<SecurityGroup> named = named(call.parameters(), listing.resources());
    return Answer.builder()
        .items("securityGroupInfo", named, group -> group(call, group))
        .text("nextToken", listing.nextToken())
        .build();
  }

  /** Those with one of the names asked for; each name must be there. */
  private static List<SecurityGroup> named(Parameters parameters, List<SecurityGroup> groups) {
    List<String> names = parameters.texts("GroupName");
    if (names.isEmpty()) {
      return groups;
    }
    for (String name : names) {
      if (groups.stream().noneMatch(group -> group.name().equals(name))) {
        throw Refusal.of(
            "InvalidGroup.NotFound", "The security group '" + name + "' does not exist");
      }
    }
    return groups.stream().filter(group -> names.contains(group.name())).toList();
  }

  private static Answer group(Call call, SecurityGroup group) {
    Answer.Builder answer =
        Answer.builder()
            .text("ownerId", group.ownerId())
            .text("groupId", group.id())
            .text("groupName", group.name())
            .text("groupDescription", group.description())
            .text("vpcId", group.vpcId())
            .text(
                "securityGroupArn", Values.arn(call, group.ownerId(), "security-group", group.id()))
            .items(
                "ipPermissions",
                group.isDefault() ? List.of(group) : List.of(),
                DescribeSecurityGroups::fromItself)
            .items("ipPermissionsEgress", List.of(group), g -> toAll(hasIpv6(call, g)));
    return TagRules.write(answer, group.tags()).build();
  }

  private static Answer fromItself(SecurityGroup group) {
    return Answer.builder()
        .text("ipProtocol", "-1")
        .items(
            "groups",
            List.of(group),
            g -> Answer.builder().text("userId", g.ownerId()).text("groupId", g.id()).build())
        .build();
  }

  /** A VPC with an IPv6 block lets its groups send to every IPv6 address too. */
  private static boolean hasIpv6(Call call, SecurityGroup group) {
    return call.region()
        .vpcs()
        .find(group.vpcId())
        .filter(vpc -> vpc.blocks().stream().anyMatch(b -> b.block().family() == IpFamily.IPV6))
        .isPresent();
  }

  private static Answer toAll(boolean withIpv6) {
    return Answer.builder()
        .text("ipProtocol", "-1")
        .items("ipRanges", List.of("0.0.0.0/0"), b -> Answer.builder().text("cidrIp", b).build())
        .items(
            "ipv6Ranges",
            withIpv6 ? List.of("::/0") : List.of(),
            b -> Answer.builder().text("cidrIpv6", b).build())
        .build();
  }
}
