package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.model.SubnetCidrReservation;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.List;
import java.util.Optional;

/** Lists the CIDR reservations of a subnet. */
final class GetSubnetCidrReservations implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("SubnetId").mandatory(),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final PageRequest.Rule PAGES = new PageRequest.Rule(5, 1000, Optional.empty());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Subnet subnet = call.need(call.region().subnets(), call.parameters().need("SubnetId"));
    Listing<SubnetCidrReservation> listing =
        Listing.of(
            call, call.region().reservations(), "SubnetCidrReservationId", filters(subnet), PAGES);
    return Answer.builder()
        .items("subnetIpv4CidrReservationSet", listing.resources(), ReservationAnswer::of)
        .items(
            "subnetIpv6CidrReservationSet", List.<SubnetCidrReservation>of(), ReservationAnswer::of)
        .text("nextToken", listing.nextToken())
        .build();
  }

  private static Filters<SubnetCidrReservation> filters(Subnet subnet) {
    return new Filters<SubnetCidrReservation>("GetSubnetCidrReservations")
        .by("reservationType", SubnetCidrReservation::type)
        .by("subnet-id", SubnetCidrReservation::subnetId)
        .byTags(reservation -> reservation.tags().values())
        .only(reservation -> reservation.subnetId().equals(subnet.id()));
  }
}
