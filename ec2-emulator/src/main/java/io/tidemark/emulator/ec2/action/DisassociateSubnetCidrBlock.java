package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Takes the IPv6 block off a subnet in which no interface has an address or a prefix of it. */
final class DisassociateSubnetCidrBlock implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("AssociationId").mandatory());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Region region = call.region();
    String id = call.parameters().need("AssociationId");
    ResourceType.SUBNET_BLOCK_ASSOCIATION.requireWellFormed(id);
    Subnet subnet =
        region
            .subnets()
            .present()
            .filter(one -> one.ownerId().equals(call.account()))
            .filter(one -> one.ipv6Block().filter(b -> b.associationId().equals(id)).isPresent())
            .findFirst()
            .orElseThrow(() -> ResourceType.SUBNET_BLOCK_ASSOCIATION.notFound(id));
    Subnet.Ipv6Association ended = subnet.ipv6Block().orElseThrow();
    if (region.ipv6Addresses(subnet.id()).filter(books -> !books.isUnused()).isPresent()) {
      throw Refusal.of(
          "InvalidCidrBlock.InUse",
          "The subnet "
              + subnet.id()
              + " currently has an address within CIDR block "
              + ended.block());
    }
    region.networks().removeIpv6Block(subnet);
    return SubnetIpv6Block.change(subnet, ended, "disassociating");
  }
}
