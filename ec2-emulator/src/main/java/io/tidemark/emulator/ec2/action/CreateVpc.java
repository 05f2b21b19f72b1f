package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Tags;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;

/** Makes a VPC with its default security group and its main route table. */
final class CreateVpc implements Action {
  private static final int WIDEST = 16;
  private static final int NARROWEST = 28;

  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("CidrBlock"),
          Field.unsupported("Ipv6Pool"),
          Field.unsupported("Ipv6CidrBlock"),
          Field.unsupported("Ipv4IpamPoolId"),
          Field.unsupported("Ipv4NetmaskLength"),
          Field.unsupported("Ipv6IpamPoolId"),
          Field.unsupported("Ipv6NetmaskLength"),
          Field.unsupported("Ipv6CidrBlockNetworkBorderGroup"),
          Field.unsupported("VpcEncryptionControl"),
          Field.ignored("InstanceTenancy"),
          Field.flag("AmazonProvidedIpv6CidrBlock"),
          Fields.TAG_SPECIFICATIONS,
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    if (!call.parameters().has("CidrBlock")) {
      throw ParameterShape.missing("cidrBlock");
    }
    Cidr block = Values.block(call.parameters().need("CidrBlock"), "cidrBlock");
    if (block.prefixLength() < WIDEST || block.prefixLength() > NARROWEST) {
      throw Refusal.of("InvalidVpc.Range", "The CIDR '" + block + "' is invalid.");
    }
    if (call.region().vpcs().countOf(call.account()) >= call.region().quotas().vpcs()) {
      throw Refusal.of("VpcLimitExceeded", "The maximum number of VPCs has been reached.");
    }
    Tags tags = TagRules.ofNew(call, ResourceType.VPC);
    Vpc vpc = call.region().networks().createVpc(call.account(), block, false, tags);
    if (call.parameters().isSet("AmazonProvidedIpv6CidrBlock")) {
      vpc = call.region().networks().addIpv6Block(vpc);
    }
    return Answer.builder().nested("vpc", VpcAnswer.of(vpc, "pending")).build();
  }
}
