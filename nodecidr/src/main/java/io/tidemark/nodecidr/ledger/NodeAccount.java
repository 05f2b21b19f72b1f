package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger knows of one incarnation of a node. Mutable; {@link CidrLedger} owns it and keeps
 * it and the layers the same.
 */
final class NodeAccount {
  final NodeOwner owner;

  /** Its CIDRs, which cool while it is absent. */
  List<Cidr> claims = List.of();

  /** Open; null when nothing is being written to it. */
  @Nullable Reservation reservation;

  boolean absent;

  /** Whether its cooldown has not ended. */
  boolean queued;

  NodeAccount(NodeOwner owner) {
    this.owner = owner;
  }

  /** It has what was reserved for it, or must be taken to have it. */
  void claimReserved(Reservation open, CidrLayers layers) {
    for (Cidr block : open.blocks()) {
      layers.add(Layer.CLAIMED, block, owner.uid());
      layers.remove(Layer.RESERVED, block, owner.uid());
    }
    reservation = null;
    claims = open.blocks();
  }

  /** It does not have what was reserved for it. */
  void endReservation(CidrLayers layers) {
    Reservation open = reservation;
    if (open != null) {
      open.blocks().forEach(block -> layers.remove(Layer.RESERVED, block, owner.uid()));
      reservation = null;
    }
  }

  /** Its claims go from one layer to another. */
  void move(Layer from, Layer to, CidrLayers layers) {
    for (Cidr each : claims) {
      layers.add(to, each, owner.uid());
      layers.remove(from, each, owner.uid());
    }
  }
}
