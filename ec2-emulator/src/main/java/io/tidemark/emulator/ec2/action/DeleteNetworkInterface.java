package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;

/** Removes an interface that is attached to nothing. */
final class DeleteNetworkInterface implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("NetworkInterfaceId").mandatory(), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    NetworkInterface ended =
        call.needOwn(call.region().interfaces(), call.parameters().need("NetworkInterfaceId"));
    call.region().interfaceRules().deleteDetached(ended);
    return Answer.TRUE;
  }
}
