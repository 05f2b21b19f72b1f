package io.tidemark.spi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Subnets with what they still have (node-manager 1.6), for providers that fill one subnet after
 * the other. Immutable.
 *
 * @param quotas by subnet, ids ascending
 */
public record SubnetMap(SortedMap<PoolId, PoolQuota> quotas) {
  public SubnetMap {
    quotas = Collections.unmodifiableSortedMap(new TreeMap<>(quotas));
  }

  /** A subnet and its free IPv4 addresses, above 0. */
  public record Choice(PoolId subnet, int availableIps) {}

  /**
   * The first preferred subnet that exists and has a free IPv4 address, else the one with the
   * lowest id that has; empty when none has (13 D-18).
   */
  public Optional<Choice> firstSubnetWithAvailableAddresses(List<PoolId> preferred) {
    for (PoolId subnet : preferred) {
      PoolQuota quota = quotas.get(subnet);
      if (quota != null && quota.availableIps() > 0) {
        return Optional.of(new Choice(subnet, quota.availableIps()));
      }
    }
    for (Map.Entry<PoolId, PoolQuota> each : quotas.entrySet()) {
      if (each.getValue().availableIps() > 0) {
        return Optional.of(new Choice(each.getKey(), each.getValue().availableIps()));
      }
    }
    return Optional.empty();
  }
}
