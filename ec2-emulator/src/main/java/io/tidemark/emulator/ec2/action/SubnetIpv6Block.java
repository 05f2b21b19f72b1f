package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;

/** The IPv6 block of a subnet: what it can be, and how EC2 writes its association. */
final class SubnetIpv6Block {
  private static final int LENGTH = 64;

  private SubnetIpv6Block() {}

  /** A /64 of the VPC's IPv6 block that no other subnet has. */
  static Cidr requested(Region region, Vpc vpc, String text) {
    Cidr block =
        Cidr.tryParse(text)
            .filter(b -> b.family() == IpFamily.IPV6)
            .orElseThrow(
                () ->
                    Values.invalid(text, "ipv6CidrBlock", "This is not a valid IPv6 CIDR block."));
    boolean inside = vpc.blocks().stream().anyMatch(b -> b.block().contains(block));
    if (!inside || block.prefixLength() != LENGTH) {
      throw Refusal.of("InvalidSubnet.Range", "The CIDR '" + block + "' is invalid.");
    }
    if (region
        .subnets()
        .present()
        .flatMap(subnet -> subnet.ipv6Block().stream())
        .anyMatch(other -> other.block().overlaps(block))) {
      throw Refusal.of(
          "InvalidSubnet.Conflict", "The CIDR '" + block + "' conflicts with another subnet");
    }
    return block;
  }

  static Answer association(Subnet.Ipv6Association association, String state) {
    return Answer.builder()
        .text("associationId", association.associationId())
        .text("ipv6CidrBlock", association.block().toString())
        .nested("ipv6CidrBlockState", Answer.builder().text("state", state).build())
        .build();
  }

  /** The answer of an action that adds a block or removes one. */
  static Answer change(Subnet subnet, Subnet.Ipv6Association association, String state) {
    return Answer.builder()
        .text("subnetId", subnet.id())
        .nested("ipv6CidrBlockAssociation", association(association, state))
        .build();
  }
}
