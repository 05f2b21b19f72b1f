package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.Cidr;
import java.util.Set;

/**
 * A CIDR on offer, or one that pods still use, and what the agent does with it.
 *
 * @param reason why addresses of it are not handed out; empty when they are
 */
public record PoolCidr(PoolName pool, Cidr cidr, State state, String reason) {
  private static final Set<State> HELD =
      Set.of(State.DRAWN, State.NOT_TAKEN, State.WITHHELD, State.QUARANTINED, State.WITHDRAWN);

  /** State of a block. */
  public enum State {
    /** Free addresses are handed out. */
    DRAWN,
    /** They are not, although nothing speaks against it. */
    NOT_TAKEN,
    /** Not while the object does not list it, or its interface is not known or not here. */
    WITHHELD,
    /** Not before a release that began earlier must have ended. */
    QUARANTINED,
    /** It is not on offer any more, and kept for the pods that use it. */
    WITHDRAWN,
    /** It was given back. */
    DROPPED,
    /** It cannot be taken up. */
    REJECTED
  }

  /** Whether pods can have addresses of it. */
  public boolean isHeld() {
    return HELD.contains(state);
  }
}
