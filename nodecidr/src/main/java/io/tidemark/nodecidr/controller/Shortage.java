package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.NodeCidrEvent;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import java.util.Optional;

/** Why a node gets no blocks now, as an open matter. Stateless. */
final class Shortage {
  private Shortage() {}

  /** The text of the Cilium operator about a node that gets no block. */
  private static final String REFERENCE = "allocator full: ";

  /** Empty when the node has or gets some. */
  static Optional<Matter> of(NodeOwner owner, ReserveOutcome outcome, ClusterCidrs cidrs) {
    if (outcome instanceof ReserveOutcome.Exhausted none) {
      return Optional.of(matter(NodeCidrEvent.of(owner, none), cidrs));
    }
    if (outcome instanceof ReserveOutcome.Withheld none) {
      return Optional.of(matter(NodeCidrEvent.of(owner, none), cidrs));
    }
    return Optional.empty();
  }

  private static Matter matter(NodeCidrEvent event, ClusterCidrs cidrs) {
    boolean pool = cidrs.target() == Target.CILIUM_NODE;
    return new Matter(event.code(), (pool ? REFERENCE : "") + event.detail());
  }
}
