package io.tidemark.spi;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * The free addresses of a pool.
 *
 * @param availabilityZone empty if the cloud has none
 * @param availableIps free IPv4 addresses
 * @param availableIpv6s free IPv6 addresses
 * @param freeBlocks aligned /28 runs that are wholly free, as of the last read; empty if the cloud
 *     does not report them
 * @param blockRefused whether the cloud lately refused a block for lack of an aligned free run
 */
public record PoolQuota(
    String availabilityZone,
    int availableIps,
    int availableIpv6s,
    OptionalInt freeBlocks,
    boolean blockRefused) {
  public PoolQuota {
    Objects.requireNonNull(availabilityZone, "availabilityZone");
    Objects.requireNonNull(freeBlocks, "freeBlocks");
  }

  /** Of a pool that refused no block and whose free runs are not known. */
  public PoolQuota(String availabilityZone, int availableIps, int availableIpv6s) {
    this(availabilityZone, availableIps, availableIpv6s, OptionalInt.empty(), false);
  }
}
