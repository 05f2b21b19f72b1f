package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks for one node, one per family, that are being written to it. Immutable: {@link
 * CidrLedger#settle} answers with the next state. The ledger knows a reservation by its number, so
 * one that has ended can free or claim nothing, however late a response arrives.
 *
 * @param number unique in its ledger
 * @param blocks one per family, in the order of the families
 */
public record Reservation(long number, NodeOwner owner, List<Cidr> blocks, State state) {
  public enum State {
    /** No request with these blocks can have an effect: none was sent, or each result is known. */
    HELD,
    /** A request had no result: it may have an effect, or have it later. */
    UNCERTAIN,
    CLAIMED,
    /** The node does not have the blocks; they are free for others. */
    FREED,
    /** The node is gone, and a request may still have an effect: nobody gets the blocks yet. */
    COOLING
  }

  /** Whether the blocks are still kept for the node. */
  public boolean isOpen() {
    return state == State.HELD || state == State.UNCERTAIN;
  }

  /**
   * The CIDRs of a node that has these once it has the blocks, too, in the order in which its
   * object names them: IPv4 first where it had others.
   */
  public List<Cidr> joined(List<Cidr> has) {
    List<Cidr> all = new ArrayList<>(has);
    for (Cidr block : blocks) {
      if (!all.contains(block)) {
        boolean first = !has.isEmpty() && block.family() == IpFamily.IPV4;
        all.add(first ? 0 : all.size(), block);
      }
    }
    return List.copyOf(all);
  }

  Reservation in(State next) {
    return new Reservation(number, owner, blocks, next);
  }
}
