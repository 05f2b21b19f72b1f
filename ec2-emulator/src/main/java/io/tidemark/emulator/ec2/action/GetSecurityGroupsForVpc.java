package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.SecurityGroup;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.Optional;

/** Lists the security groups that can be used in a VPC, without their rules. */
final class GetSecurityGroupsForVpc implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("VpcId").mandatory(),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final PageRequest.Rule PAGES = new PageRequest.Rule(5, 1000, Optional.empty());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Vpc vpc = call.need(call.region().vpcs(), call.parameters().need("VpcId"));
    Listing<SecurityGroup> listing =
        Listing.of(call, call.region().groups(), "GroupId", filters(vpc), PAGES);
    return Answer.builder()
        .items("securityGroupForVpcSet", listing.resources(), GetSecurityGroupsForVpc::group)
        .text("nextToken", listing.nextToken())
        .build();
  }

  /** The filters that EC2 documents, and the VPC itself. */
  private static Filters<SecurityGroup> filters(Vpc vpc) {
    return new Filters<SecurityGroup>("GetSecurityGroupsForVpc")
        .by("group-id", SecurityGroup::id)
        .by("group-name", SecurityGroup::name)
        .by("description", SecurityGroup::description)
        .by("owner-id", SecurityGroup::ownerId)
        .by("primary-vpc-id", SecurityGroup::vpcId)
        .byTags(group -> group.tags().values())
        .only(group -> group.vpcId().equals(vpc.id()));
  }

  private static Answer group(SecurityGroup group) {
    Answer.Builder answer =
        Answer.builder()
            .text("groupId", group.id())
            .text("groupName", group.name())
            .text("description", group.description())
            .text("ownerId", group.ownerId())
            .text("primaryVpcId", group.vpcId());
    return TagRules.write(answer, group.tags()).build();
  }
}
