package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.Cidr;

/**
 * The facts about one block that a restart must not forget. A program that embeds the agent stores
 * these before the agent's next write leaves, and gives them to the next process.
 *
 * @param epochMillis wall time: of the end of the quarantine, or when it was taken up; else 0
 */
public record RememberedCidr(PoolName pool, Cidr cidr, State state, long epochMillis) {
  /** Where the block stands. */
  public enum State {
    /** Addresses are handed out. */
    DRAWN,
    /** Not drawn from before its quarantine ends. */
    QUARANTINED,
    /** Taken up; the object did not say so yet. */
    ADOPTED,
    /** Taken up after it was dropped; the object did not say so yet. */
    ADOPTED_AGAIN,
    /** Given back; the operator may be releasing it. */
    DROPPED
  }
}
