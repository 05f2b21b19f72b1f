package io.tidemark.nodecidr.controller;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.NodeOwner;
import java.util.List;
import java.util.Objects;

/**
 * What would be done for a node: its CIDRs, or why it gets none.
 *
 * @param cidrs blocks that would be written to it; empty when it gets none, or has some already
 * @param matters what is wrong with the CIDRs that it has, or why it gets none
 */
public record NextStep(NodeOwner node, List<Cidr> cidrs, List<NodeReport.Matter> matters) {
  public NextStep {
    Objects.requireNonNull(node, "node");
    cidrs = List.copyOf(cidrs);
    matters = List.copyOf(matters);
  }
}
