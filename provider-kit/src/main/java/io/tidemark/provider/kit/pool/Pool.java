package io.tidemark.provider.kit.pool;

import io.tidemark.spi.PoolId;

/**
 * A pool of addresses, a subnet in most clouds, as plans see it. Immutable.
 *
 * @param zone where its addresses can be used; empty when everywhere
 * @param subnet what the provider knows of it beside the numbers
 * @param usable whether the cloud gives addresses of it at all
 * @param free addresses nobody holds, less what our requests on the way will take; may be negative
 * @param coolingDown an address was refused here a short while ago
 * @param fragmented a block was refused here a short while ago
 */
public record Pool<S>(
    PoolId id,
    String zone,
    S subnet,
    boolean usable,
    int free,
    boolean coolingDown,
    boolean fragmented) {
  /** Addresses of a block. */
  public static final int BLOCK_SIZE = 16;

  /** A new interface takes a primary address and needs another to be of use. */
  private static final int FREE_MIN = 2;

  /** A pool as a read shows it. */
  public static <S> Pool<S> read(PoolId id, String zone, S subnet, boolean usable, int free) {
    return new Pool<>(id, zone, subnet, usable, free, false, false);
  }

  /** Whether addresses can be hoped for. */
  public boolean mayHaveAddresses() {
    return free > 0 && !coolingDown && usable;
  }

  /** Whether a block can be hoped for. */
  public boolean mayHaveBlocks() {
    return free >= BLOCK_SIZE && !fragmented && !coolingDown && usable;
  }

  /** Whether an interface can be created there now. */
  public boolean hasRoom() {
    return free >= FREE_MIN && mayHaveAddresses();
  }
}
