package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.RouteTable;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;

/** Makes a route table with the routes to the blocks of its VPC. */
final class CreateRouteTable implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("VpcId").mandatory(),
          Field.text("ClientToken"),
          Fields.TAG_SPECIFICATIONS,
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Region region = call.region();
    Vpc vpc = call.needOwn(region.vpcs(), call.parameters().need("VpcId"));
    long tables =
        region.routeTables().present().filter(table -> table.vpcId().equals(vpc.id())).count();
    if (tables >= region.quotas().routeTablesPerVpc()) {
      throw Refusal.of(
          "RouteTableLimitExceeded", "The maximum number of route tables has been reached.");
    }
    RouteTable made =
        new RouteTable(
            region.newId(ResourceType.ROUTE_TABLE),
            call.account(),
            vpc.id(),
            List.of(),
            vpc.blocks().stream().map(Vpc.BlockAssociation::block).toList(),
            TagRules.ofNew(call, ResourceType.ROUTE_TABLE));
    region.routeTables().put(made);
    return Answer.builder()
        .nested("routeTable", RouteTableAnswer.of(made))
        .text("clientToken", call.parameters().text("ClientToken"))
        .build();
  }
}
