package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.ip.IpFamily;
import java.util.stream.Stream;

/** Lists VPCs, those with subnets that are shared with the caller included. */
final class DescribeVpcs implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("VpcId"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final Filters<Vpc> FILTERS =
      new Filters<Vpc>("DescribeVpcs")
          .by("vpc-id", Vpc::id)
          .by("owner-id", Vpc::ownerId)
          .by("cidr", vpc -> vpc.primaryBlock().toString())
          .byEach("cidr-block-association.cidr-block", vpc -> blocks(vpc, IpFamily.IPV4))
          .byEach("cidr-block-association.association-id", vpc -> associations(vpc, IpFamily.IPV4))
          .byEach(
              "cidr-block-association.state",
              vpc -> blocks(vpc, IpFamily.IPV4).map(block -> "associated"))
          .byEach("ipv6-cidr-block-association.ipv6-cidr-block", vpc -> blocks(vpc, IpFamily.IPV6))
          .byEach(
              "ipv6-cidr-block-association.association-id", vpc -> associations(vpc, IpFamily.IPV6))
          .byEach(
              "ipv6-cidr-block-association.state",
              vpc -> blocks(vpc, IpFamily.IPV6).map(block -> "associated"))
          .by("is-default", vpc -> Boolean.toString(vpc.isDefault()))
          .by("state", vpc -> "available")
          .byTags(vpc -> vpc.tags().values());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Listing<Vpc> listing =
        Listing.of(call, call.region().vpcs(), "VpcId", FILTERS, PageRequest.thousand("VpcId"));
    return Answer.builder()
        .items("vpcSet", listing.resources(), vpc -> VpcAnswer.of(vpc, "available"))
        .text("nextToken", listing.nextToken())
        .build();
  }

  private static Stream<String> blocks(Vpc vpc, IpFamily family) {
    return vpc.blocks().stream()
        .filter(b -> b.block().family() == family)
        .map(b -> b.block().toString());
  }

  private static Stream<String> associations(Vpc vpc, IpFamily family) {
    return vpc.blocks().stream()
        .filter(b -> b.block().family() == family)
        .map(Vpc.BlockAssociation::associationId);
  }
}
