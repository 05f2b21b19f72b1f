package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.SecurityGroup;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.regex.Pattern;

/** Makes a security group in a VPC, the default one when none is named. */
final class CreateSecurityGroup implements Action {
  /** The characters that EC2 allows for a group in a VPC ("CreateSecurityGroup", API Reference). */
  private static final Pattern TEXT =
      Pattern.compile("[a-zA-Z0-9 ._\\-:/()#,@\\[\\]+=&;{}!$*]{1,255}");

  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("GroupName").mandatory(),
          Field.text("GroupDescription").mandatory(),
          Field.text("VpcId"),
          Fields.TAG_SPECIFICATIONS,
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Region region = call.region();
    String name = call.parameters().need("GroupName");
    String description = call.parameters().need("GroupDescription");
    requireName(name);
    requireDescription(description);
    Vpc vpc =
        call.parameters()
            .text("VpcId")
            .map(id -> call.need(region.vpcs(), id))
            .or(() -> region.networks().defaultVpc(call.account()))
            .orElseThrow(() -> Refusal.of("VPCIdNotSpecified", "No default VPC for this user"));
    if (region
        .groups()
        .present()
        .anyMatch(g -> g.vpcId().equals(vpc.id()) && g.name().equals(name))) {
      throw Refusal.of(
          "InvalidGroup.Duplicate",
          "The security group '" + name + "' already exists for VPC '" + vpc.id() + "'");
    }
    if (region.groups().countOf(call.account()) >= region.quotas().groups()) {
      throw Refusal.of(
          "SecurityGroupLimitExceeded", "The maximum number of security groups has been reached.");
    }
    SecurityGroup group =
        new SecurityGroup(
            region.newId(ResourceType.SECURITY_GROUP),
            call.account(),
            vpc.id(),
            name,
            description,
            TagRules.ofNew(call, ResourceType.SECURITY_GROUP));
    region.groups().put(group);
    Answer.Builder answer =
        Answer.builder()
            .flag("return", true)
            .text("groupId", group.id())
            .text(
                "securityGroupArn",
                Values.arn(call, group.ownerId(), "security-group", group.id()));
    return TagRules.write(answer, group.tags()).build();
  }

  private static void requireName(String name) {
    if (name.isEmpty()) {
      throw ParameterShape.missing("groupName");
    }
    if (name.equals(SecurityGroup.DEFAULT)) {
      throw Refusal.of("InvalidGroup.Reserved", "The security group 'default' is reserved");
    }
    if (name.startsWith("sg-")) {
      throw Refusal.of("InvalidParameterValue", "Group names may not be in the format sg-*");
    }
    if (!TEXT.matcher(name).matches()) {
      throw invalid("name", "names");
    }
  }

  private static void requireDescription(String description) {
    if (description.isEmpty()) {
      throw ParameterShape.missing("groupDescription");
    }
    if (!TEXT.matcher(description).matches()) {
      throw invalid("description", "descriptions");
    }
  }

  private static Refusal invalid(String part, String parts) {
    return Refusal.of(
        "InvalidParameterValue",
        "Invalid security group "
            + part
            + ". Valid "
            + parts
            + " are strings less than 256 characters from the following set: "
            + " a-zA-Z0-9. _-:/()#,@[]+=&;{}!$*");
  }
}
