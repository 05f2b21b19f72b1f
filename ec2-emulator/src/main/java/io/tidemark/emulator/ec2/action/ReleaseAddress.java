package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ElasticAddress;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Gives a public address back that stands for no private one. */
final class ReleaseAddress implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("AllocationId"),
          Field.unsupported("PublicIp"),
          Field.ignored("NetworkBorderGroup"),
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    String id =
        call.parameters()
            .text("AllocationId")
            .orElseThrow(() -> ParameterShape.missing("allocationId"));
    ElasticAddress ended = call.needOwn(call.region().elasticAddresses(), id);
    if (ended.association().isPresent()) {
      throw Refusal.of("InvalidIPAddress.InUse", "Address " + ended.publicIp() + " is in use.");
    }
    call.region().elasticAddresses().remove(ended.id());
    return Answer.TRUE;
  }
}
