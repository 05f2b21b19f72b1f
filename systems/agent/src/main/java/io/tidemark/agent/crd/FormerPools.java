package io.tidemark.agent.crd;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.time.Duration;
import java.util.Collections;
import java.util.OptionalLong;

/**
 * The entries of a former multi-pool agent in the object of this node. As long as its demand stands
 * there, the operator may release, without a handshake, what its list of CIDRs leaves out, and a
 * release that has begun can be under way for a while after the demand is gone. So the demand goes
 * first, and addresses that are not in the list are not handed out before the pause is over. The
 * list goes last: until then it says to the next process that the pause is not over. Immutable and
 * pure; monotonic nanoseconds.
 *
 * @param doubted addresses that a release may take away
 * @param pauseEnds when they can be handed out; empty while the demand stands in the object
 */
record FormerPools(AddressSet doubted, OptionalLong pauseEnds) {
  static final FormerPools NONE = new FormerPools(AddressSet.of(), OptionalLong.empty());

  FormerPools observe(NodeResource node, Duration pause, long now) {
    PodPools left = node.pools();
    if (!left.requested().isEmpty()) {
      return new FormerPools(unlisted(node), OptionalLong.empty());
    }
    if (pauseEnds.isPresent()) {
      boolean over = now - pauseEnds.getAsLong() >= 0;
      boolean gone = left.allocated().isEmpty();
      return !over ? this : gone ? NONE : new FormerPools(AddressSet.of(), pauseEnds);
    }
    boolean hadDemand = !equals(NONE);
    if (!hadDemand && left.allocated().isEmpty()) {
      return NONE;
    }
    return new FormerPools(
        hadDemand ? doubted : unlisted(node), OptionalLong.of(now + pause.toNanos()));
  }

  private static AddressSet unlisted(NodeResource node) {
    AddressSet left = node.pool().addresses();
    for (PoolCidrs each : node.pools().allocated().values()) {
      for (Cidr cidr : each.cidrs()) {
        left = left.minus(left.within(cidr));
      }
    }
    return left;
  }

  /** When addresses can be handed out that are not now; empty when there are none. */
  OptionalLong nextLookNanos() {
    return doubted.isEmpty() ? OptionalLong.empty() : pauseEnds;
  }

  /** The version, which was observed last, without what can go now. */
  NodeResource cleared(NodeResource node) {
    PodPools left = node.pools();
    if (!left.requested().isEmpty()) {
      return node.withPools(new PodPools(Collections.emptySortedMap(), left.allocated()));
    }
    return doubted.isEmpty() ? node.withPools(PodPools.NONE) : node;
  }
}
