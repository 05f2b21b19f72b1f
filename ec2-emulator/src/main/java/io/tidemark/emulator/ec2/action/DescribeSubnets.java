package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;

/** Lists subnets, those that are shared with the caller included. */
final class DescribeSubnets implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("SubnetId"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final Filters<Subnet> FILTERS =
      new Filters<Subnet>("DescribeSubnets")
          .by("subnet-id", Subnet::id)
          .by("vpc-id", Subnet::vpcId)
          .by("owner-id", Subnet::ownerId)
          .by("availability-zone", subnet -> subnet.zone().name())
          .by("availabilityZone", subnet -> subnet.zone().name())
          .by("availability-zone-id", subnet -> subnet.zone().id())
          .by("availabilityZoneId", subnet -> subnet.zone().id())
          .by("available-ip-address-count", s -> Integer.toString(s.availableAddresses()))
          .by("cidr-block", subnet -> subnet.block().toString())
          .by("cidr", subnet -> subnet.block().toString())
          .by("cidrBlock", subnet -> subnet.block().toString())
          .byOptional(
              "ipv6-cidr-block-association.ipv6-cidr-block",
              subnet -> subnet.ipv6Block().map(a -> a.block().toString()))
          .byOptional(
              "ipv6-cidr-block-association.association-id",
              subnet -> subnet.ipv6Block().map(Subnet.Ipv6Association::associationId))
          .byOptional(
              "ipv6-cidr-block-association.state",
              subnet -> subnet.ipv6Block().map(a -> "associated"))
          .by("state", subnet -> "available")
          .by("ipv6-native", subnet -> "false")
          .by("map-public-ip-on-launch", subnet -> "false")
          .by("enable-dns64", subnet -> "false")
          .byTags(subnet -> subnet.tags().values());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Listing<Subnet> listing =
        Listing.of(
            call, call.region().subnets(), "SubnetId", FILTERS, PageRequest.thousand("SubnetId"));
    return Answer.builder()
        .items("subnetSet", listing.resources(), subnet -> SubnetAnswer.of(call, subnet))
        .text("nextToken", listing.nextToken())
        .build();
  }
}
