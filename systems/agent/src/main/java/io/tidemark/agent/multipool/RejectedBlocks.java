package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks on offer that the agent cannot take up, each reported once. Has one caller, which
 * reports.
 */
final class RejectedBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedBlocks.class);

  private volatile Map<Block, Rejection> known = Map.of();

  private record Block(PoolName pool, Cidr cidr) {}

  void report(
      Map<PoolName, OfferedCidrs> offers,
      Set<IpFamily> families,
      Map<PoolName, Map<IpFamily, FamilyPool>> pools) {
    Map<Block, Rejection> found = new HashMap<>();
    offers.forEach(
        (pool, offer) -> {
          for (Cidr cidr : offer.cidrs()) {
            if (!families.contains(cidr.family())) {
              found.put(new Block(pool, cidr), Rejection.FAMILY_DISABLED);
            }
          }
        });
    pools.forEach(
        (pool, all) ->
            all.values()
                .forEach(
                    each ->
                        each.ranges()
                            .states()
                            .rejected()
                            .forEach((cidr, why) -> found.put(new Block(pool, cidr), why))));
    found.forEach(
        (block, why) -> {
          if (why != known.get(block)) {
            LOG.warn("Block {} of pool {} is not used: {}", block.cidr(), block.pool(), why);
          }
        });
    known = found;
  }

  /** Those of families that are not served, which are in no pool; from any thread. */
  Stream<PoolCidr> ofDisabledFamilies() {
    return known.entrySet().stream()
        .filter(each -> each.getValue() == Rejection.FAMILY_DISABLED)
        .map(
            each ->
                CidrReport.rejected(each.getKey().pool(), each.getKey().cidr(), each.getValue()));
  }
}
