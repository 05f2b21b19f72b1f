package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.model.SubnetCidrReservation;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.Cidr;

/** Keeps a part of a subnet's IPv4 block from automatic assignment, or for prefixes. */
final class CreateSubnetCidrReservation implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("SubnetId").mandatory(),
          Field.text("Cidr").mandatory(),
          Field.text("ReservationType").mandatory(),
          Field.text("Description"),
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
    Subnet subnet = call.needOwn(region.subnets(), parameters.need("SubnetId"));
    String type = parameters.need("ReservationType");
    if (!type.equals(SubnetCidrReservation.PREFIX) && !type.equals("explicit")) {
      throw Values.invalid(type, "reservationType", "It must be prefix or explicit.");
    }
    Cidr block = Values.block(parameters.need("Cidr"), "cidr");
    if (!subnet.block().contains(block)) {
      throw Values.invalid(
          block.toString(), "cidr", "It is not within the subnet's block " + subnet.block() + ".");
    }
    if (region
        .reservations()
        .present()
        .anyMatch(r -> r.subnetId().equals(subnet.id()) && r.block().overlaps(block))) {
      throw Values.invalid(
          block.toString(), "cidr", "It overlaps with another reservation of the subnet.");
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
    region.networks().reserve(made);
    return Answer.builder().nested("subnetCidrReservation", ReservationAnswer.of(made)).build();
  }
}
