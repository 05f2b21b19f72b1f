package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.model.Zone;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes a subnet in one of the VPC's blocks; the first zone is taken when none is named. */
final class CreateSubnet implements Action {
  private static final int WIDEST = 16;
  private static final int NARROWEST = 28;

  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("VpcId").mandatory(),
          Field.text("CidrBlock"),
          Field.text("AvailabilityZone"),
          Field.text("AvailabilityZoneId"),
          Field.text("Ipv6CidrBlock"),
          Field.unsupported("OutpostArn"),
          Field.unsupported("Ipv6Native"),
          Field.unsupported("Ipv4IpamPoolId"),
          Field.unsupported("Ipv4NetmaskLength"),
          Field.unsupported("Ipv6IpamPoolId"),
          Field.unsupported("Ipv6NetmaskLength"),
          Fields.TAG_SPECIFICATIONS,
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    if (!parameters.has("CidrBlock")) {
      throw ParameterShape.missing("cidrBlock");
    }
    Vpc vpc = call.needOwn(region.vpcs(), parameters.need("VpcId"));
    Cidr block = Values.block(parameters.need("CidrBlock"), "cidrBlock");
    requireRange(vpc, block);
    requireRoom(region, vpc, block);
    Subnet subnet =
        region
            .networks()
            .createSubnet(
                vpc,
                zone(region, parameters),
                block,
                parameters
                    .text("Ipv6CidrBlock")
                    .map(text -> SubnetIpv6Block.requested(region, vpc, text)),
                TagRules.ofNew(call, ResourceType.SUBNET));
    return Answer.builder().nested("subnet", SubnetAnswer.of(call, subnet)).build();
  }

  private static void requireRange(Vpc vpc, Cidr block) {
    boolean inside = vpc.blocks().stream().anyMatch(b -> b.block().contains(block));
    if (!inside || block.prefixLength() < WIDEST || block.prefixLength() > NARROWEST) {
      throw Refusal.of("InvalidSubnet.Range", "The CIDR '" + block + "' is invalid.");
    }
  }

  private static void requireRoom(Region region, Vpc vpc, Cidr block) {
    if (region
        .subnets()
        .present()
        .anyMatch(s -> s.vpcId().equals(vpc.id()) && s.block().overlaps(block))) {
      throw Refusal.of(
          "InvalidSubnet.Conflict", "The CIDR '" + block + "' conflicts with another subnet");
    }
    long subnets = region.subnets().present().filter(s -> s.vpcId().equals(vpc.id())).count();
    if (subnets >= region.quotas().subnetsPerVpc()) {
      throw Refusal.of("SubnetLimitExceeded", "The maximum number of subnets has been reached.");
    }
  }

  private static Zone zone(Region region, Parameters parameters) {
    Optional<String> name = parameters.text("AvailabilityZone");
    Optional<String> id = parameters.text("AvailabilityZoneId");
    if (name.isPresent() && id.isPresent()) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "The parameter availabilityZone cannot be used with the parameter availabilityZoneId");
    }
    return region.zones().stream()
        .filter(zone -> name.map(zone.name()::equals).orElse(true))
        .filter(zone -> id.map(zone.id()::equals).orElse(true))
        .findFirst()
        .orElseThrow(
            () ->
                Values.invalid(
                    name.or(() -> id).orElse(""),
                    name.isPresent() ? "availabilityZone" : "availabilityZoneId",
                    "Subnets can currently only be created in the following availability zones: "
                        + region.zones().stream().map(Zone::name).collect(Collectors.joining(", "))
                        + "."));
  }
}
