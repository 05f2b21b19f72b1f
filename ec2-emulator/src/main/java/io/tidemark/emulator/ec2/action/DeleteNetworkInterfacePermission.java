package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.InterfacePermission;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Takes a permission back; by force also while the other account uses the interface. */
final class DeleteNetworkInterfacePermission implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfacePermissionId").mandatory(),
          Field.flag("Force"),
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    InterfacePermission ended =
        call.needOwn(
            call.region().permissions(), call.parameters().need("NetworkInterfacePermissionId"));
    boolean used =
        call.region()
            .interfaces()
            .find(ended.interfaceId())
            .flatMap(shared -> shared.attachment())
            .filter(attachment -> attachment.instanceOwnerId().equals(ended.account()))
            .isPresent();
    if (used && !call.parameters().isSet("Force")) {
      throw Refusal.of(
          "OperationNotPermitted",
          "The network interface " + ended.interfaceId() + " is attached under this permission");
    }
    call.region().permissions().remove(ended.id());
    call.region().interfaceRules().publishPermitted(ended.interfaceId());
    return Answer.TRUE;
  }
}
