package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.SubnetCidrReservation;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;

/** Opens a reserved part of a subnet to automatic assignment again. */
final class DeleteSubnetCidrReservation implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("SubnetCidrReservationId").mandatory(), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    SubnetCidrReservation ended =
        call.needOwn(
            call.region().reservations(), call.parameters().need("SubnetCidrReservationId"));
    call.region().networks().unreserve(ended);
    return Answer.builder()
        .nested("deletedSubnetCidrReservation", ReservationAnswer.of(ended))
        .build();
  }
}
