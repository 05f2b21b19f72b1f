package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How many addresses an agent asks for, and when it draws from a block.
 *
 * @param families the enabled ones
 * @param preAllocation free addresses to have at hand, by pool; other pools have none at hand
 * @param demand how the demand follows from use and pre-allocation
 * @param quarantine when a block is drawn from that was dropped before
 * @param offerGrace how long addresses may be on offer without being handed out or explained
 */
public record MultiPoolRules(
    Set<IpFamily> families,
    Map<PoolName, Integer> preAllocation,
    DemandRule demand,
    QuarantineRule quarantine,
    Duration offerGrace) {
  public MultiPoolRules {
    families = Set.copyOf(families);
    preAllocation = Map.copyOf(preAllocation);
    if (families.isEmpty()) {
      throw new IllegalArgumentException(
          "enable-ipv4 and enable-ipv6 are both off; expected one to be on");
    }
    preAllocation.forEach(MultiPoolRules::requireCount);
    if (offerGrace.isNegative() || offerGrace.isZero()) {
      throw new IllegalArgumentException("offer-grace is " + offerGrace + "; expected above 0");
    }
  }

  private static void requireCount(PoolName pool, int addresses) {
    if (!pool.isGiven() || addresses < 0) {
      throw new IllegalArgumentException(
          "ipam-multi-pool-pre-allocation of pool \""
              + pool
              + "\" is "
              + addresses
              + "; expected a named pool and 0 or more");
    }
  }
}
