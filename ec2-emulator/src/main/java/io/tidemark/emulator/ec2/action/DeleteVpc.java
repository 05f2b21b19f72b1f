package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Removes a VPC that holds nothing but its default security group and its main route table. */
final class DeleteVpc implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("VpcId").mandatory(), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Region region = call.region();
    Vpc vpc = call.needOwn(region.vpcs(), call.parameters().need("VpcId"));
    boolean used =
        region.subnets().present().anyMatch(subnet -> subnet.vpcId().equals(vpc.id()))
            || region
                .groups()
                .present()
                .anyMatch(group -> group.vpcId().equals(vpc.id()) && !group.isDefault())
            || region
                .routeTables()
                .present()
                .anyMatch(table -> table.vpcId().equals(vpc.id()) && !table.isMain());
    if (used) {
      throw Refusal.of(
          "DependencyViolation",
          "The vpc '" + vpc.id() + "' has dependencies and cannot be deleted.");
    }
    region.networks().deleteVpc(vpc);
    return Answer.TRUE;
  }
}
