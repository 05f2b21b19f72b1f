package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.NodeCidrEvent;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import java.util.Optional;

/** Why a node gets no blocks now, as an open matter. Stateless. */
final class Shortage {
  private Shortage() {}

  /** Empty when the node has or gets some. */
  static Optional<Matter> of(NodeOwner owner, ReserveOutcome outcome) {
    if (outcome instanceof ReserveOutcome.Exhausted none) {
      return Optional.of(matter(NodeCidrEvent.of(owner, none)));
    }
    if (outcome instanceof ReserveOutcome.Withheld none) {
      return Optional.of(matter(NodeCidrEvent.of(owner, none)));
    }
    return Optional.empty();
  }

  private static Matter matter(NodeCidrEvent event) {
    return new Matter(event.code(), event.detail());
  }
}
