package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.SecurityGroup;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;

/** The security groups of an interface. */
final class GroupChoice {
  private GroupChoice() {}

  /**
   * The groups with these ids, or the VPC's default group when none is named.
   *
   * @throws Refusal when one does not exist or belongs to another VPC, or they are too many
   */
  static List<SecurityGroup.Reference> of(Call call, String vpcId, List<String> ids) {
    List<String> distinct = ids.stream().distinct().toList();
    if (distinct.isEmpty()) {
      return List.of(call.region().networks().defaultGroup(vpcId, call.account()).reference());
    }
    if (distinct.size() > call.region().quotas().groupsPerInterface()) {
      throw Refusal.of(
          "SecurityGroupsPerInterfaceLimitExceeded",
          "The maximum number of security groups per interface has been reached.");
    }
    List<SecurityGroup> groups =
        distinct.stream().map(id -> call.need(call.region().groups(), id)).toList();
    if (groups.stream().anyMatch(group -> !group.vpcId().equals(vpcId))) {
      throw Refusal.of(
          "InvalidParameter",
          "You have specified two resources that belong to different networks.");
    }
    return groups.stream().map(SecurityGroup::reference).toList();
  }
}
