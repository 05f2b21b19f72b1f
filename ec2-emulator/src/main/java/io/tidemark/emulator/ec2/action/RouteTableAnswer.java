package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.RouteTable;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.stream.Stream;

/** Writes route tables as the service model's RouteTable structure. */
final class RouteTableAnswer {
  private RouteTableAnswer() {}

  static Answer of(RouteTable table) {
    Answer.Builder answer =
        Answer.builder()
            .text("routeTableId", table.id())
            .text("vpcId", table.vpcId())
            .text("ownerId", table.ownerId())
            .items("routeSet", table.localBlocks(), RouteTableAnswer::local)
            .items("associationSet", table.associations(), a -> association(table, a))
            .items("propagatingVgwSet", List.<String>of(), RouteTableAnswer::gateway);
    return TagRules.write(answer, table.tags()).build();
  }

  static Answer associated() {
    return Answer.builder().text("state", "associated").build();
  }

  /** The texts of the destinations of one family, by the member that holds them. */
  static Stream<String> destinations(RouteTable table, String member) {
    return table.localBlocks().stream().flatMap(block -> local(block).text(member).stream());
  }

  private static Answer gateway(String id) {
    return Answer.builder().text("gatewayId", id).build();
  }

  private static Answer local(Cidr block) {
    return Answer.builder()
        .text(
            block.family() == IpFamily.IPV4 ? "destinationCidrBlock" : "destinationIpv6CidrBlock",
            block.toString())
        .text("gatewayId", "local")
        .text("state", "active")
        .text("origin", "CreateRouteTable")
        .build();
  }

  private static Answer association(RouteTable table, RouteTable.Association association) {
    return Answer.builder()
        .text("routeTableAssociationId", association.id())
        .text("routeTableId", table.id())
        .text("subnetId", association.subnetId())
        .flag("main", association.isMain())
        .nested("associationState", associated())
        .build();
  }
}
