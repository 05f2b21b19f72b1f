package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Networks;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.SubnetCidrReservation;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.Cidr;
import java.util.List;

/** CIDR reservations of subnets. */
final class SubnetReservations {
  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "CreateSubnetCidrReservation",
              "SubnetId! Cidr! ReservationType! Description" + DeclaredAction.TAGS,
              SubnetReservations::create),
          DeclaredAction.of(
              "DeleteSubnetCidrReservation",
              "SubnetCidrReservationId!",
              SubnetReservations::delete),
          DeclaredAction.of(
              "GetSubnetCidrReservations",
              "SubnetId!" + DeclaredAction.PAGES,
              SubnetReservations::list));

  private SubnetReservations() {}

  /** Keeps a part of a subnet's IPv4 block from automatic assignment, or for prefixes. */
  private static Answer create(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    Ec2Subnet subnet = call.own(region.subnets(), "SubnetId");
    String type = parameters.need("ReservationType");
    if (!type.equals(SubnetCidrReservation.PREFIX) && !type.equals("explicit")) {
      throw Values.invalid(type, "reservationType", "It must be prefix or explicit.");
    }
    Cidr block = Values.block(parameters.need("Cidr"), "cidr");
    if (!subnet.block().contains(block)) {
      throw Values.invalid(
          block, "cidr", "It is not within the subnet's block " + subnet.block() + ".");
    }
    if (region
        .reservations()
        .present()
        .anyMatch(r -> r.subnetId().equals(subnet.id()) && r.block().overlaps(block))) {
      throw Values.invalid(block, "cidr", "It overlaps with another reservation of the subnet.");
    }
    SubnetCidrReservation made =
        new SubnetCidrReservation(
            region.newId(ResourceType.SUBNET_CIDR_RESERVATION),
            call.account(),
            subnet.id(),
            block,
            type,
            parameters.text("Description").orElse(""),
            TagRules.ofNew(call, ResourceType.SUBNET_CIDR_RESERVATION));
    new Ec2Networks(region).reserve(made);
    return Answer.of("subnetCidrReservation", shown(made));
  }

  /** Opens a reserved part of a subnet to automatic assignment again. */
  private static Answer delete(Call call) {
    SubnetCidrReservation ended = call.own(call.region().reservations(), "SubnetCidrReservationId");
    new Ec2Networks(call.region()).unreserve(ended);
    return Answer.of("deletedSubnetCidrReservation", shown(ended));
  }

  /** Lists the CIDR reservations of a subnet. */
  private static Answer list(Call call) {
    Ec2Subnet subnet = call.need(call.region().subnets(), call.parameters().need("SubnetId"));
    Ec2Filters<SubnetCidrReservation> filters =
        new Ec2Filters<SubnetCidrReservation>("GetSubnetCidrReservations")
            .by("reservationType", SubnetCidrReservation::type)
            .by("subnet-id", SubnetCidrReservation::subnetId)
            .byTags(SubnetCidrReservation::tags)
            .only(reservation -> reservation.subnetId().equals(subnet.id()));
    Listing<SubnetCidrReservation> listing =
        Listing.of(call, call.region().reservations(), "SubnetCidrReservationId", 1000, filters);
    return Answer.empty()
        .items("subnetIpv4CidrReservationSet", listing.resources(), SubnetReservations::shown)
        .put("subnetIpv6CidrReservationSet", List.of())
        .put("nextToken", listing.nextToken());
  }

  private static Answer shown(SubnetCidrReservation reservation) {
    return Answer.of("subnetCidrReservationId", reservation.id())
        .put("subnetId", reservation.subnetId())
        .put("cidr", reservation.block())
        .put("reservationType", reservation.type())
        .put("ownerId", reservation.ownerId())
        .put("description", reservation.description())
        .put("tagSet", TagRules.shown(reservation.tags()));
  }
}
