package io.tidemark.provider.azure.network;

/**
 * How much of a subnet is used (VirtualNetworks.ListUsage).
 *
 * @param used addresses in use; negative where Azure does not count
 * @param limit addresses that can be given; negative where Azure does not count
 */
public record SubnetUsage(ResourceId subnet, long used, long limit) {
  /** Whether Azure counts. */
  public boolean isCounted() {
    return used >= 0 && limit >= 0;
  }

  /** Addresses that can still be given; below zero where more are used than there are. */
  public long free() {
    return limit - used;
  }
}
