package io.tidemark.spi;

import java.util.Objects;

/**
 * The free addresses of a pool.
 *
 * @param availabilityZone empty if the cloud has none
 * @param availableIps free IPv4 addresses
 * @param availableIpv6s free IPv6 addresses
 */
public record PoolQuota(String availabilityZone, int availableIps, int availableIpv6s) {
  public PoolQuota {
    Objects.requireNonNull(availabilityZone, "availabilityZone");
  }
}
