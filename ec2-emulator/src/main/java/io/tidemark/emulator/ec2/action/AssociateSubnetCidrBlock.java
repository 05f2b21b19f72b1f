package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;

/** Gives a subnet its only IPv6 block ("Subnet CIDR blocks", Amazon VPC User Guide). */
final class AssociateSubnetCidrBlock implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("SubnetId").mandatory(),
          Field.text("Ipv6CidrBlock"),
          Field.unsupported("Ipv6IpamPoolId"),
          Field.unsupported("Ipv6NetmaskLength"));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    if (!parameters.has("Ipv6CidrBlock")) {
      throw ParameterShape.missing("ipv6CidrBlock");
    }
    Subnet subnet = call.needOwn(region.subnets(), parameters.need("SubnetId"));
    Vpc vpc = call.needOwn(region.vpcs(), subnet.vpcId());
    if (subnet.ipv6Block().isPresent()) {
      throw Refusal.of(
          "CidrLimitExceeded",
          "The subnet '" + subnet.id() + "' has an IPv6 CIDR block already; it can have one.");
    }
    Cidr block = SubnetIpv6Block.requested(region, vpc, parameters.need("Ipv6CidrBlock"));
    Subnet changed = region.networks().addIpv6Block(subnet, block);
    return SubnetIpv6Block.change(changed, changed.ipv6Block().orElseThrow(), "associating");
  }
}
