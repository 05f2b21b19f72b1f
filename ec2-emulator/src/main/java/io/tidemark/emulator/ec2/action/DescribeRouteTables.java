package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.RouteTable;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.Optional;

/** Lists route tables with the subnets that use them. */
final class DescribeRouteTables implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("RouteTableId"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final Filters<RouteTable> FILTERS =
      new Filters<RouteTable>("DescribeRouteTables")
          .by("route-table-id", RouteTable::id)
          .by("owner-id", RouteTable::ownerId)
          .by("vpc-id", RouteTable::vpcId)
          .byEach(
              "association.route-table-association-id",
              table -> table.associations().stream().map(RouteTable.Association::id))
          .byEach(
              "association.route-table-id",
              table -> table.associations().stream().map(association -> table.id()))
          .byEach(
              "association.subnet-id",
              table ->
                  table.associations().stream()
                      .map(RouteTable.Association::subnetId)
                      .flatMap(Optional::stream))
          .byEach(
              "association.main",
              table -> table.associations().stream().map(a -> Boolean.toString(a.isMain())))
          .byEach(
              "route.destination-cidr-block",
              table -> RouteTableAnswer.destinations(table, "destinationCidrBlock"))
          .byEach(
              "route.destination-ipv6-cidr-block",
              table -> RouteTableAnswer.destinations(table, "destinationIpv6CidrBlock"))
          .by("route.gateway-id", table -> "local")
          .by("route.origin", table -> "CreateRouteTable")
          .by("route.state", table -> "active")
          .byTags(table -> table.tags().values());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Listing<RouteTable> listing =
        Listing.of(
            call,
            call.region().routeTables(),
            "RouteTableId",
            FILTERS,
            PageRequest.hundred("RouteTableId"));
    return Answer.builder()
        .items("routeTableSet", listing.resources(), RouteTableAnswer::of)
        .text("nextToken", listing.nextToken())
        .build();
  }
}
