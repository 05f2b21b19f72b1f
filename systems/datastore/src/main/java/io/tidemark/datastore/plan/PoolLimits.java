package io.tidemark.datastore.plan;

import io.tidemark.datastore.CidrKind;

/**
 * How much a network card may have.
 *
 * @param slotsPerEni secondary addresses or prefixes of one interface, without its primary address
 * @param maxEnis interfaces altogether
 * @param unmanagedEnis interfaces of others on the card, which are not in the store
 * @param reservedEnis interfaces that are kept for others: 1 while the trunk is missing
 * @param maxPods addresses that the node can need
 */
public record PoolLimits(
    int slotsPerEni, int maxEnis, int unmanagedEnis, int reservedEnis, int maxPods) {
  /** Limits without interfaces of others, for as many pods as there are addresses. */
  public static PoolLimits of(int slotsPerEni, int maxEnis) {
    return new PoolLimits(slotsPerEni, maxEnis, 0, 0, Integer.MAX_VALUE);
  }

  /** The same limits with so many interfaces of others. */
  public PoolLimits withUnmanaged(int enis) {
    return new PoolLimits(slotsPerEni, maxEnis, enis, reservedEnis, maxPods);
  }

  /** Interfaces that can be in the store. */
  public int usableEnis() {
    return Math.max(0, maxEnis - unmanagedEnis);
  }

  /** IPv4 addresses for pods that these can have. */
  public long addresses(CidrKind kind) {
    return (long) usableEnis()
        * slotsPerEni
        * (kind == CidrKind.PREFIX ? PoolNumbers.PER_PREFIX : 1);
  }

  boolean hasRoom(int enis, int excluded) {
    return enis - excluded < maxEnis - unmanagedEnis - reservedEnis - excluded;
  }
}
