package io.tidemark.daemon;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.eni.InterfaceRanges;
import io.tidemark.agent.multipool.DemandRule;
import io.tidemark.agent.multipool.MultiPoolRules;
import io.tidemark.agent.multipool.QuarantineRule;
import io.tidemark.agent.multipool.RangeSource;
import io.tidemark.config.ConfigReader;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How pools of CIDRs work.
 *
 * @param cloud whose interfaces in the status have the CIDRs; {@link CrdMode#CRD} for those of
 *     {@code spec.ipam.pools.allocated}
 * @param preAllocation free addresses to have at hand, by pool
 * @param offerGrace how long addresses may be on offer without being handed out or explained
 * @param quarantine how long a CIDR that was given back is not used after it was taken up again
 */
record PoolSettings(
    CrdMode cloud, Map<PoolName, Integer> preAllocation, Duration offerGrace, Duration quarantine) {
  private static final int PRE_ALLOCATION = 8;

  /** The one pool of interfaces: operators read the demand of no other. */
  private static final PoolName OF_INTERFACES = new PoolName("default");

  /** Those of a mode with such pools; empty for any other. */
  static Optional<PoolSettings> read(AgentKey.Mode mode, PoolName pool, ConfigReader reader) {
    boolean ofInterfaces =
        AgentKey.INTERFACE_ALLOCATOR.read(reader) == AgentKey.InterfaceAllocator.MULTI_POOL
            && mode.isCloud();
    PoolSettings settings =
        new PoolSettings(
            ofInterfaces ? mode.pool().orElseThrow() : CrdMode.CRD,
            preAllocation(pool, reader),
            AgentKey.OFFER_GRACE.read(reader),
            AgentKey.QUARANTINE.read(reader));
    if (ofInterfaces && !pool.equals(OF_INTERFACES)) {
      reader
          .problems()
          .contradiction(
              reader.source(),
              AgentKey.DEFAULT_POOL.key(),
              AgentKey.INTERFACE_ALLOCATOR.key(),
              "the addresses of interfaces are in pool " + OF_INTERFACES);
    }
    return ofInterfaces || mode == AgentKey.Mode.MULTI_POOL
        ? Optional.of(settings)
        : Optional.empty();
  }

  private static Map<PoolName, Integer> preAllocation(PoolName pool, ConfigReader reader) {
    Map<String, String> given = AgentKey.PRE_ALLOCATION.read(reader);
    Map<PoolName, Integer> all = new TreeMap<>();
    for (Map.Entry<String, String> each : given.entrySet()) {
      if (!each.getValue().matches("[0-9]{1,7}")
          || !each.getKey().matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
        reader
            .problems()
            .invalid(
                reader.source(),
                AgentKey.PRE_ALLOCATION.key(),
                "NAME=ADDRESSES items, a name of lower-case letters, digits and '-' and a number from 0"
                    + " to 9999999 each");
        return Map.of();
      }
      all.put(new PoolName(each.getKey()), Integer.parseInt(each.getValue()));
    }
    return given.isEmpty() ? Map.of(pool, PRE_ALLOCATION) : all;
  }

  boolean ofInterfaces() {
    return cloud.isCloud();
  }

  String origin() {
    return switch (cloud) {
      case CRD -> "spec.ipam.pools";
      case ENI -> "status.eni";
      case AZURE -> "status.azure";
    };
  }

  /**
   * Where the CIDRs come from.
   *
   * @param pool of those of interfaces
   * @param here which interfaces this machine has
   * @param nativeRouting CIDRs that are reached without translation
   */
  RangeSource source(PoolName pool, LocalInterfaces here, List<Cidr> nativeRouting) {
    return switch (cloud) {
      case CRD -> RangeSource.ALLOCATED;
      case ENI, AZURE -> new InterfaceRanges(cloud, pool, here, nativeRouting);
    };
  }

  /** Whether addresses of a pool are asked for before a pod wants one. */
  boolean isAskedInAdvance(PoolName pool) {
    return preAllocation.getOrDefault(pool, 0) > 0;
  }

  MultiPoolRules rules(Set<IpFamily> families, Duration updateRate) {
    return new MultiPoolRules(
        families,
        preAllocation,
        ofInterfaces() ? DemandRule.LINEAR : DemandRule.STEPS,
        QuarantineRule.of(updateRate, quarantine),
        offerGrace);
  }
}
