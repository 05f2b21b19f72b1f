package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.SecurityGroup;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Removes a security group that no interface has. */
final class DeleteSecurityGroup implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("GroupId"), Field.text("GroupName"), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    SecurityGroup group = group(call);
    if (group.isDefault()) {
      throw Refusal.of(
          "CannotDelete",
          "the specified group: \""
              + group.id()
              + "\" name: \"default\" cannot be deleted by a user");
    }
    if (call.region()
        .interfaces()
        .present()
        .anyMatch(i -> i.settings().groups().contains(group.reference()))) {
      throw Refusal.of("DependencyViolation", "resource " + group.id() + " has a dependent object");
    }
    call.region().groups().remove(group.id());
    return Answer.builder().flag("return", true).text("groupId", group.id()).build();
  }

  /** By id, or by its name in the default VPC. */
  private static SecurityGroup group(Call call) {
    Region region = call.region();
    if (call.parameters().has("GroupId")) {
      return call.needOwn(region.groups(), call.parameters().need("GroupId"));
    }
    if (!call.parameters().has("GroupName")) {
      throw ParameterShape.missing("groupName or groupId");
    }
    String name = call.parameters().need("GroupName");
    return region
        .networks()
        .defaultVpc(call.account())
        .flatMap(
            vpc ->
                region
                    .groups()
                    .present()
                    .filter(g -> g.vpcId().equals(vpc.id()) && g.name().equals(name))
                    .findFirst())
        .orElseThrow(
            () ->
                Refusal.of(
                    "InvalidGroup.NotFound",
                    "The security group '" + name + "' does not exist in default VPC"));
  }
}
