package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Removes a subnet that has no interface left. */
final class DeleteSubnet implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("SubnetId").mandatory(), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Region region = call.region();
    Subnet subnet = call.needOwn(region.subnets(), call.parameters().need("SubnetId"));
    if (!region.addresses(subnet.id()).isUnused()
        || region.interfaces().presentBy("subnet-id", subnet.id()).findAny().isPresent()) {
      throw Refusal.of(
          "DependencyViolation",
          "The subnet '" + subnet.id() + "' has dependencies and cannot be deleted.");
    }
    region.networks().deleteSubnet(subnet);
    return Answer.TRUE;
  }
}
