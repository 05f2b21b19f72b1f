package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.RouteTable;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Gives a subnet back to the main route table. */
final class DisassociateRouteTable implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("AssociationId").mandatory(), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    String id = call.parameters().need("AssociationId");
    ResourceType.ROUTE_TABLE_ASSOCIATION.requireWellFormed(id);
    RouteTable table =
        call.region()
            .routeTables()
            .present()
            .filter(t -> t.ownerId().equals(call.account()))
            .filter(t -> t.associations().stream().anyMatch(a -> a.id().equals(id)))
            .findFirst()
            .orElseThrow(() -> ResourceType.ROUTE_TABLE_ASSOCIATION.notFound(id));
    if (table.associations().stream().anyMatch(a -> a.id().equals(id) && a.isMain())) {
      throw Refusal.of(
          "InvalidParameterValue", "cannot disassociate the main route table association " + id);
    }
    call.region()
        .routeTables()
        .put(
            table.withAssociations(
                table.associations().stream().filter(a -> !a.id().equals(id)).toList()));
    return Answer.TRUE;
  }
}
