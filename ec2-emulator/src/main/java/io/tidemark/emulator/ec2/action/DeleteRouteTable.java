package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.RouteTable;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Removes a route table that no subnet uses. */
final class DeleteRouteTable implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("RouteTableId").mandatory(), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    RouteTable ended =
        call.needOwn(call.region().routeTables(), call.parameters().need("RouteTableId"));
    if (!ended.associations().isEmpty()) {
      throw Refusal.of(
          "DependencyViolation",
          "The routeTable '" + ended.id() + "' has dependencies and cannot be deleted.");
    }
    call.region().routeTables().remove(ended.id());
    return Answer.TRUE;
  }
}
