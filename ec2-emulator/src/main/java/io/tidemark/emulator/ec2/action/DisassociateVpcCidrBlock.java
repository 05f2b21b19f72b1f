package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;

/** Takes a block off a VPC in which no subnet is; the first block stays for life. */
final class DisassociateVpcCidrBlock implements Action {
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
    ResourceType.VPC_BLOCK_ASSOCIATION.requireWellFormed(id);
    Vpc vpc =
        region
            .vpcs()
            .present()
            .filter(one -> one.ownerId().equals(call.account()))
            .filter(one -> one.blocks().stream().anyMatch(b -> b.associationId().equals(id)))
            .findFirst()
            .orElseThrow(() -> ResourceType.VPC_BLOCK_ASSOCIATION.notFound(id));
    Vpc.BlockAssociation ended =
        vpc.blocks().stream().filter(b -> b.associationId().equals(id)).findFirst().orElseThrow();
    if (ended.equals(vpc.blocks().get(0))) {
      throw Refusal.of(
          "OperationNotPermitted",
          "The vpc CIDR block with association ID "
              + id
              + " may not be disassociated. It is the primary IPv4 CIDR block of the VPC");
    }
    requireUnused(region, vpc, ended.block());
    region.networks().removeBlock(vpc, ended);
    return VpcAnswer.change(vpc.id(), ended, "disassociating");
  }

  private static void requireUnused(Region region, Vpc vpc, Cidr block) {
    boolean used =
        region
            .subnets()
            .presentBy("vpc-id", vpc.id())
            .anyMatch(
                subnet ->
                    block.contains(subnet.block())
                        || subnet.ipv6Block().filter(b -> block.contains(b.block())).isPresent());
    if (used) {
      throw Refusal.of(
          "InvalidCidrBlock.InUse",
          "The vpc " + vpc.id() + " currently has a subnet within CIDR block " + block);
    }
  }
}
