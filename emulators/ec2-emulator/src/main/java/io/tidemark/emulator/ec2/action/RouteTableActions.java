package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2RouteTable;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Ec2Vpc;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Route tables and the subnets that use them. */
final class RouteTableActions {
  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "AssociateRouteTable",
              "RouteTableId! SubnetId -GatewayId -PublicIpv4Pool",
              RouteTableActions::associate),
          DeclaredAction.of(
              "CreateRouteTable",
              "VpcId! ClientToken" + DeclaredAction.TAGS,
              RouteTableActions::create),
          DeclaredAction.doing("DeleteRouteTable", "RouteTableId!", RouteTableActions::delete),
          Listing.action(
              "DescribeRouteTables",
              "RouteTableId",
              100,
              Region::routeTables,
              filters(),
              "routeTableSet",
              (call, table) -> shown(table)),
          DeclaredAction.doing(
              "DisassociateRouteTable", "AssociationId!", RouteTableActions::disassociate));

  private static final Answer ASSOCIATED = Answer.of("state", "associated");

  private RouteTableActions() {}

  /** Makes a route table with the routes to the blocks of its VPC. */
  private static Answer create(Call call) {
    Region region = call.region();
    Ec2Vpc vpc = call.own(region.vpcs(), "VpcId");
    Ec2Refusal.when(
        region.routeTables().present().filter(table -> table.vpcId().equals(vpc.id())).count()
            >= region.quota(Quota.ROUTE_TABLES_PER_VPC),
        "RouteTableLimitExceeded",
        "The maximum number of route tables has been reached.");
    Ec2RouteTable made =
        new Ec2RouteTable(
            region.newId(ResourceType.ROUTE_TABLE),
            call.account(),
            vpc.id(),
            List.of(),
            vpc.blocks().stream().map(Ec2Vpc.BlockAssociation::block).toList(),
            TagRules.ofNew(call, ResourceType.ROUTE_TABLE));
    region.routeTables().put(made);
    return Answer.of("routeTable", shown(made))
        .put("clientToken", call.parameters().text("ClientToken"));
  }

  /** Removes a route table that no subnet uses. */
  private static void delete(Call call) {
    Ec2RouteTable ended = call.own(call.region().routeTables(), "RouteTableId");
    Ec2Refusal.when(
        !ended.associations().isEmpty(),
        "DependencyViolation",
        "The routeTable '%s' has dependencies and cannot be deleted.",
        ended.id());
    call.region().routeTables().remove(ended.id());
  }

  /** Lets a subnet use a route table; it uses one table by choice at most. */
  private static Answer associate(Call call) {
    Region region = call.region();
    String subnetId = call.parameters().need("SubnetId");
    Ec2RouteTable table = call.own(region.routeTables(), "RouteTableId");
    Ec2Subnet subnet = call.needOwn(region.subnets(), subnetId);
    Ec2Refusal.when(
        !table.vpcId().equals(subnet.vpcId()),
        "InvalidParameterValue",
        "Route table %s and subnet %s belong to different networks",
        table.id(),
        subnet.id());
    Optional<String> id = Optional.of(subnet.id());
    Ec2Refusal.when(
        region
            .routeTables()
            .present()
            .flatMap(other -> other.associations().stream())
            .anyMatch(association -> association.subnetId().equals(id)),
        "Resource.AlreadyAssociated",
        "the specified association for route table %s conflicts with an existing association",
        table.id());
    Ec2RouteTable.Association made =
        new Ec2RouteTable.Association(region.newId(ResourceType.ROUTE_TABLE_ASSOCIATION), id);
    List<Ec2RouteTable.Association> all = new ArrayList<>(table.associations());
    all.add(made);
    region.routeTables().put(table.withAssociations(all));
    return Answer.of("associationId", made.id()).put("associationState", ASSOCIATED);
  }

  /** Gives a subnet back to the main route table. */
  private static void disassociate(Call call) {
    String id = call.parameters().need("AssociationId");
    Table<Ec2RouteTable> all = call.region().routeTables();
    Ec2RouteTable table =
        call.ownWith(
            ResourceType.ROUTE_TABLE_ASSOCIATION,
            id,
            all.present(),
            t -> t.associations().stream().anyMatch(a -> a.id().equals(id)));
    Ec2Refusal.when(
        table.associations().stream().anyMatch(a -> a.id().equals(id) && a.isMain()),
        "InvalidParameterValue",
        "cannot disassociate the main route table association %s",
        id);
    all.put(
        table.withAssociations(
            table.associations().stream().filter(a -> !a.id().equals(id)).toList()));
  }

  private static Ec2Filters<Ec2RouteTable> filters() {
    return new Ec2Filters<Ec2RouteTable>("DescribeRouteTables")
        .by("route-table-id", Ec2RouteTable::id)
        .by("owner-id", Ec2RouteTable::ownerId)
        .by("vpc-id", Ec2RouteTable::vpcId)
        .by("association.route-table-association-id", ofEach(Ec2RouteTable.Association::id))
        .by("association.route-table-id", t -> t.associations().stream().map(a -> t.id()))
        .by(
            "association.subnet-id",
            t -> t.associations().stream().flatMap(a -> a.subnetId().stream()))
        .by("association.main", ofEach(Ec2RouteTable.Association::isMain))
        .by("route.destination-cidr-block", table -> blocks(table, IpFamily.IPV4))
        .by("route.destination-ipv6-cidr-block", table -> blocks(table, IpFamily.IPV6))
        .by("route.gateway-id", table -> "local")
        .by("route.origin", table -> "CreateRouteTable")
        .by("route.state", table -> "active")
        .byTags(Ec2RouteTable::tags);
  }

  private static Function<Ec2RouteTable, Stream<?>> ofEach(
      Function<Ec2RouteTable.Association, ?> reader) {
    return table -> table.associations().stream().map(reader);
  }

  private static Stream<Cidr> blocks(Ec2RouteTable table, IpFamily family) {
    return table.localBlocks().stream().filter(block -> block.family() == family);
  }

  private static Answer shown(Ec2RouteTable table) {
    return Answer.of("routeTableId", table.id())
        .put("vpcId", table.vpcId())
        .put("ownerId", table.ownerId())
        .items("routeSet", table.localBlocks(), RouteTableActions::local)
        .items("associationSet", table.associations(), a -> association(table, a))
        .put("propagatingVgwSet", List.of())
        .put("tagSet", TagRules.shown(table.tags()));
  }

  private static Answer local(Cidr block) {
    return Answer.of(
            block.family() == IpFamily.IPV4 ? "destinationCidrBlock" : "destinationIpv6CidrBlock",
            block)
        .put("gatewayId", "local")
        .put("state", "active")
        .put("origin", "CreateRouteTable");
  }

  private static Answer association(Ec2RouteTable table, Ec2RouteTable.Association association) {
    return Answer.of("routeTableAssociationId", association.id())
        .put("routeTableId", table.id())
        .put("subnetId", association.subnetId())
        .put("main", association.isMain())
        .put("associationState", ASSOCIATED);
  }
}
