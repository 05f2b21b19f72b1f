package io.tidemark.agent.multipool;

import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.agent.multipool.OfferedCidrs.Edges;
import io.tidemark.ip.Cidr;

/**
 * A block that the agent has taken up.
 *
 * @param nanos when it was taken up, or when its quarantine ends; 0 while it is drawn from
 * @param withdrawn no longer offered, and kept because pods use it; not drawn from
 */
record CidrEntry(Cidr cidr, Edges edges, Phase phase, long nanos, boolean withdrawn) {
  enum Phase {
    /** As {@link #ADOPTED}, before any agent wrote its demand: no release can be under way. */
    FIRST,
    /** Taken up; the object does not say so yet. */
    ADOPTED,
    /** As {@link #ADOPTED}, after it was dropped: a release may be under way. */
    ADOPTED_AGAIN,
    /** The object lists it, but a release that began earlier may still be under way. */
    QUARANTINED,
    DRAWN
  }

  static CidrEntry drawn(Cidr cidr, Edges edges) {
    return new CidrEntry(cidr, edges, Phase.DRAWN, 0, false);
  }

  CidrEntry in(Phase next, long at) {
    return new CidrEntry(cidr, edges, next, at, withdrawn);
  }

  CidrEntry withdrawn(boolean now) {
    return withdrawn == now ? this : new CidrEntry(cidr, edges, phase, nanos, now);
  }

  CidrEntry with(Edges changed) {
    return edges.equals(changed) ? this : new CidrEntry(cidr, changed, phase, nanos, withdrawn);
  }

  boolean isDrawn() {
    return phase == Phase.DRAWN && !withdrawn;
  }

  /** Whether the operator knows that the agent has it. */
  boolean isConfirmed() {
    return phase == Phase.DRAWN || phase == Phase.QUARANTINED;
  }

  int capacity() {
    return HostRange.capacity(cidr, edges.first(), edges.last());
  }
}
