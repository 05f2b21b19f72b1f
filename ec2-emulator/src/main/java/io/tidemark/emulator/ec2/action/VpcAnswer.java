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
                block -> association(block, "associated"));
    if (vpc.blocks().stream().anyMatch(b -> b.block().family() == IpFamily.IPV6)) {
      answer.items(
          "ipv6CidrBlockAssociationSet",
          vpc.blocks().stream().filter(b -> b.block().family() == IpFamily.IPV6).toList(),
          block -> association(block, "associated"));
    }
    answer
        .text("dhcpOptionsId", "dopt-00000000000000001")
        .text("instanceTenancy", "default")
        .flag("isDefault", vpc.isDefault());
    return TagRules.write(answer, vpc.tags()).build();
  }

  /** The answer of an action that adds a block or removes one. */
  static Answer change(String vpcId, Vpc.BlockAssociation association, String state) {
    return Answer.builder()
        .text("vpcId", vpcId)
        .nested(
            association.block().family() == IpFamily.IPV6
                ? "ipv6CidrBlockAssociation"
                : "cidrBlockAssociation",
            association(association, state))
        .build();
  }

  private static Answer association(Vpc.BlockAssociation association, String state) {
    String name = association.block().family() == IpFamily.IPV6 ? "ipv6CidrBlock" : "cidrBlock";
    return Answer.builder()
        .text("associationId", association.associationId())
        .text(name, association.block().toString())
        .nested(name + "State", Answer.builder().text("state", state).build())
        .build();
  }
}
