package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.RouteTable;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lets a subnet use a route table; it uses one table by choice at most. */
final class AssociateRouteTable implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("RouteTableId").mandatory(),
          Field.text("SubnetId"),
          Field.unsupported("GatewayId"),
          Field.unsupported("PublicIpv4Pool"),
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Region region = call.region();
    if (!call.parameters().has("SubnetId")) {
      throw ParameterShape.missing("subnetId");
    }
    RouteTable table = call.needOwn(region.routeTables(), call.parameters().need("RouteTableId"));
    Subnet subnet = call.needOwn(region.subnets(), call.parameters().need("SubnetId"));
    if (!table.vpcId().equals(subnet.vpcId())) {
      throw Refusal.of(
          "InvalidParameterValue",
          "Route table "
              + table.id()
              + " and subnet "
              + subnet.id()
              + " belong to different networks");
    }
    Optional<String> id = Optional.of(subnet.id());
    if (region
        .routeTables()
        .present()
        .flatMap(other -> other.associations().stream())
        .anyMatch(association -> association.subnetId().equals(id))) {
      throw Refusal.of(
          "Resource.AlreadyAssociated",
          "the specified association for route table "
              + table.id()
              + " conflicts with an existing association");
    }
    RouteTable.Association made =
        new RouteTable.Association(region.newId(ResourceType.ROUTE_TABLE_ASSOCIATION), id);
    List<RouteTable.Association> all = new ArrayList<>(table.associations());
    all.add(made);
    region.routeTables().put(table.withAssociations(all));
    return Answer.builder()
        .text("associationId", made.id())
        .nested("associationState", RouteTableAnswer.associated())
        .build();
  }
}
