package io.tidemark.spi;

import java.util.Objects;

/**
 * The free addresses of a pool.
 *
 * @param availabilityZone empty if the cloud has none
 * @param availableIps free IPv4 addresses
 * @param availableIpv6s free IPv6 addresses
 * @param blockRefused whether the cloud lately refused a block for lack of an aligned free run; no
 *     cloud reports which runs are free
 */
public record PoolQuota(
    String availabilityZone, int availableIps, int availableIpv6s, boolean blockRefused) {
  public PoolQuota {
    Objects.requireNonNull(availabilityZone, "availabilityZone");
  }

  /** Of a pool that refused no block. */
  public PoolQuota(String availabilityZone, int availableIps, int availableIpv6s) {
    this(availabilityZone, availableIps, availableIpv6s, false);
  }
}
