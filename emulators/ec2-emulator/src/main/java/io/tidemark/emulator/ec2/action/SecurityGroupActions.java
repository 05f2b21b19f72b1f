package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Networks;
import io.tidemark.emulator.ec2.model.Ec2SecurityGroup;
import io.tidemark.emulator.ec2.model.Ec2Vpc;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Security groups. */
final class SecurityGroupActions {
  /** The characters that EC2 allows for a group in a VPC ("CreateSecurityGroup", API Reference). */
  private static final Pattern TEXT =
      Pattern.compile("[a-zA-Z0-9 ._\\-:/()#,@\\[\\]+=&;{}!$*]{1,255}");

  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "CreateSecurityGroup",
              "GroupName! GroupDescription! VpcId" + DeclaredAction.TAGS,
              SecurityGroupActions::create),
          DeclaredAction.of(
              "DeleteSecurityGroup", "GroupId GroupName", SecurityGroupActions::delete),
          DeclaredAction.of(
              "DescribeSecurityGroups",
              "GroupId[] GroupName[]" + DeclaredAction.PAGES,
              SecurityGroupActions::describe),
          DeclaredAction.of(
              "GetSecurityGroupsForVpc",
              "VpcId!" + DeclaredAction.PAGES,
              SecurityGroupActions::forVpc));

  private SecurityGroupActions() {}

  /** Makes a security group in a VPC, the default one when none is named. */
  private static Answer create(Call call) {
    Region region = call.region();
    String name = call.parameters().need("GroupName");
    String description = call.parameters().need("GroupDescription");
    Ec2Refusal.when(
        name.equals(Ec2SecurityGroup.DEFAULT),
        "InvalidGroup.Reserved",
        "The security group 'default' is reserved");
    Ec2Refusal.when(
        name.startsWith("sg-"),
        "InvalidParameterValue",
        "Group names may not be in the format sg-*");
    requireText(name, "groupName", "name");
    requireText(description, "groupDescription", "description");
    Ec2Vpc vpc =
        call.parameters()
            .text("VpcId")
            .map(id -> call.need(region.vpcs(), id))
            .orElseGet(() -> defaultVpc(call));
    Ec2Refusal.when(
        named(region, vpc, name).isPresent(),
        "InvalidGroup.Duplicate",
        "The security group '%s' already exists for VPC '%s'",
        name,
        vpc.id());
    Ec2Refusal.when(
        region.groups().countOf(call.account()) >= region.quota(Quota.GROUPS),
        "SecurityGroupLimitExceeded",
        "The maximum number of security groups has been reached.");
    Ec2SecurityGroup group =
        new Ec2SecurityGroup(
            region.newId(ResourceType.SECURITY_GROUP),
            call.account(),
            vpc.id(),
            name,
            description,
            TagRules.ofNew(call, ResourceType.SECURITY_GROUP));
    region.groups().put(group);
    return Answer.of("return", true)
        .put("groupId", group.id())
        .put("securityGroupArn", arn(call, group))
        .put("tagSet", TagRules.shown(group.tags()));
  }

  /** The default VPC of the caller, which things go to that name no other. */
  static Ec2Vpc defaultVpc(Call call) {
    return new Ec2Networks(call.region())
        .defaultVpc(call.account())
        .orElseThrow(() -> Ec2Refusal.of("VPCIdNotSpecified", "No default VPC for this user"));
  }

  private static void requireText(String text, String parameter, String part) {
    if (text.isEmpty()) {
      throw ParameterShape.missing(parameter);
    }
    Ec2Refusal.when(
        !TEXT.matcher(text).matches(),
        "InvalidParameterValue",
        "Invalid security group %s. Valid %ss are strings less than 256 characters from the"
            + " following set:  a-zA-Z0-9. _-:/()#,@[]+=&;{}!$*",
        part,
        part);
  }

  private static Optional<Ec2SecurityGroup> named(Region region, Ec2Vpc vpc, String name) {
    return region
        .groups()
        .presentBy("vpc-id", vpc.id())
        .filter(group -> group.name().equals(name))
        .findFirst();
  }

  /** Removes a security group that no interface has. */
  private static Answer delete(Call call) {
    Region region = call.region();
    Ec2SecurityGroup group = ended(call);
    Ec2Refusal.when(
        group.isDefault(),
        "CannotDelete",
        "the specified group: \"%s\" name: \"default\" cannot be deleted by a user",
        group.id());
    Ec2Refusal.when(
        region
            .interfaces()
            .present()
            .anyMatch(i -> i.settings().groups().contains(group.reference())),
        "DependencyViolation",
        "resource %s has a dependent object",
        group.id());
    region.groups().remove(group.id());
    return Answer.of("return", true).put("groupId", group.id());
  }

  /** By id, or by its name in the default VPC. */
  private static Ec2SecurityGroup ended(Call call) {
    if (call.parameters().has("GroupId")) {
      return call.own(call.region().groups(), "GroupId");
    }
    String name =
        call.parameters()
            .text("GroupName")
            .orElseThrow(() -> ParameterShape.missing("groupName or groupId"));
    return new Ec2Networks(call.region())
        .defaultVpc(call.account())
        .flatMap(vpc -> named(call.region(), vpc, name))
        .orElseThrow(
            () ->
                Ec2Refusal.of(
                    "InvalidGroup.NotFound",
                    "The security group '%s' does not exist in default VPC",
                    name));
  }

  /** Lists security groups with the rules that they are made with. */
  private static Answer describe(Call call) {
    Listing<Ec2SecurityGroup> listing =
        Listing.of(
            call,
            call.region().groups(),
            "GroupId",
            1000,
            filters("DescribeSecurityGroups", "vpc-id"));
    List<String> names = call.parameters().texts("GroupName");
    for (String name : names) {
      Ec2Refusal.when(
          listing.resources().stream().noneMatch(group -> group.name().equals(name)),
          "InvalidGroup.NotFound",
          "The security group '%s' does not exist",
          name);
    }
    List<Ec2SecurityGroup> found =
        listing.resources().stream()
            .filter(group -> names.isEmpty() || names.contains(group.name()))
            .toList();
    return new Listing<>(found, listing.nextToken())
        .answer(call, "securityGroupInfo", SecurityGroupActions::shown);
  }

  /** Lists the security groups that can be used in a VPC, without their rules. */
  private static Answer forVpc(Call call) {
    Ec2Vpc vpc = call.need(call.region().vpcs(), call.parameters().need("VpcId"));
    return Listing.of(
            call,
            call.region().groups(),
            "GroupId",
            1000,
            filters("GetSecurityGroupsForVpc", "primary-vpc-id")
                .only(group -> group.vpcId().equals(vpc.id())))
        .answer(
            "securityGroupForVpcSet",
            group ->
                Answer.of("groupId", group.id())
                    .put("groupName", group.name())
                    .put("description", group.description())
                    .put("ownerId", group.ownerId())
                    .put("primaryVpcId", group.vpcId())
                    .put("tagSet", TagRules.shown(group.tags())));
  }

  private static Ec2Filters<Ec2SecurityGroup> filters(String action, String vpcFilter) {
    return new Ec2Filters<Ec2SecurityGroup>(action)
        .by("group-id", Ec2SecurityGroup::id)
        .by("group-name", Ec2SecurityGroup::name)
        .by("description", Ec2SecurityGroup::description)
        .by("owner-id", Ec2SecurityGroup::ownerId)
        .by(vpcFilter, Ec2SecurityGroup::vpcId)
        .byTags(Ec2SecurityGroup::tags);
  }

  private static String arn(Call call, Ec2SecurityGroup group) {
    return Values.arn(call, group.ownerId(), "security-group", group.id());
  }

  private static Answer shown(Call call, Ec2SecurityGroup group) {
    Answer itself = Answer.of("userId", group.ownerId()).put("groupId", group.id());
    Answer toAll =
        Answer.of("ipProtocol", "-1")
            .put("ipRanges", List.of(Answer.of("cidrIp", "0.0.0.0/0")))
            .put(
                "ipv6Ranges",
                hasIpv6(call, group) ? List.of(Answer.of("cidrIpv6", "::/0")) : List.of());
    return Answer.of("ownerId", group.ownerId())
        .put("groupId", group.id())
        .put("groupName", group.name())
        .put("groupDescription", group.description())
        .put("vpcId", group.vpcId())
        .put("securityGroupArn", arn(call, group))
        .put(
            "ipPermissions",
            group.isDefault()
                ? List.of(Answer.of("ipProtocol", "-1").put("groups", List.of(itself)))
                : List.of())
        .put("ipPermissionsEgress", List.of(toAll))
        .put("tagSet", TagRules.shown(group.tags()));
  }

  /** A VPC with an IPv6 block lets its groups send to every IPv6 address too. */
  private static boolean hasIpv6(Call call, Ec2SecurityGroup group) {
    return call.region()
        .vpcs()
        .find(group.vpcId())
        .filter(vpc -> vpc.blocks(IpFamily.IPV6).findAny().isPresent())
        .isPresent();
  }

  /**
   * The groups with these ids, or the VPC's default group when none is named.
   *
   * @throws Ec2Refusal when one does not exist or belongs to another VPC, or they are too many
   */
  static List<Ec2SecurityGroup.Reference> chosen(Call call, String vpcId, List<String> ids) {
    List<String> distinct = ids.stream().distinct().toList();
    if (distinct.isEmpty()) {
      return List.of(
          new Ec2Networks(call.region()).defaultGroup(vpcId, call.account()).reference());
    }
    Ec2Refusal.when(
        distinct.size() > call.region().quota(Quota.GROUPS_PER_INTERFACE),
        "SecurityGroupsPerInterfaceLimitExceeded",
        "The maximum number of security groups per interface has been reached.");
    List<Ec2SecurityGroup> groups =
        distinct.stream().map(id -> call.need(call.region().groups(), id)).toList();
    Ec2Refusal.when(
        groups.stream().anyMatch(group -> !group.vpcId().equals(vpcId)),
        "InvalidParameter",
        "You have specified two resources that belong to different networks.");
    return groups.stream().map(Ec2SecurityGroup::reference).toList();
  }
}
