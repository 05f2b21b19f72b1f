package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.ip.IpFamily;

/** Writes VPCs as the service model's Vpc structure. */
final class VpcAnswer {
  private VpcAnswer() {}

  static Answer of(Vpc vpc, String state) {
    Answer.Builder answer =
        Answer.builder()
            .text("vpcId", vpc.id())
            .text("ownerId", vpc.ownerId())
            .text("state", state)
            .text("cidrBlock", vpc.primaryBlock().toString())
            .items(
                "cidrBlockAssociationSet",
                vpc.blocks().stream().filter(b -> b.block().family() == IpFamily.IPV4).toList(),
                block -> association("cidrBlock", block));
    if (vpc.blocks().stream().anyMatch(b -> b.block().family() == IpFamily.IPV6)) {
      answer.items(
          "ipv6CidrBlockAssociationSet",
          vpc.blocks().stream().filter(b -> b.block().family() == IpFamily.IPV6).toList(),
          block -> association("ipv6CidrBlock", block));
    }
    answer
        .text("dhcpOptionsId", "dopt-00000000000000001")
        .text("instanceTenancy", "default")
        .flag("isDefault", vpc.isDefault());
    return TagRules.write(answer, vpc.tags()).build();
  }

  private static Answer association(String name, Vpc.BlockAssociation association) {
    return Answer.builder()
        .text("associationId", association.associationId())
        .text(name, association.block().toString())
        .nested(name + "State", Answer.builder().text("state", "associated").build())
        .build();
  }
}
