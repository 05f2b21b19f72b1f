package io.tidemark.provider.kit.pool;

import io.tidemark.spi.PoolId;
import java.util.OptionalInt;

/**
 * A pool of addresses, in most clouds a subnet, for plans. Immutable.
 *
 * @param zone where its addresses can be used; empty for everywhere
 * @param subnet the provider's data of it
 * @param usable whether the cloud assigns addresses of it at all
 * @param free free addresses minus those of requests in flight; can be negative
 * @param freeBlocks aligned /28 runs that are wholly free, as last read; empty if not reported
 * @param coolingDown an address was refused recently
 * @param fragmented a block was refused recently
 */
public record Pool<S>(
    PoolId id,
    String zone,
    S subnet,
    boolean usable,
    int free,
    OptionalInt freeBlocks,
    boolean coolingDown,
    boolean fragmented) {
  /** Addresses per block. */
  public static final int BLOCK_SIZE = 16;

  /** A new interface needs a primary address and one more to be useful. */
  private static final int FREE_MIN = 2;

  /** A pool from a read of a cloud that reports no free blocks. */
  public static <S> Pool<S> read(PoolId id, String zone, S subnet, boolean usable, int free) {
    return new Pool<>(id, zone, subnet, usable, free, OptionalInt.empty(), false, false);
  }

  /** Whether it may have addresses. */
  public boolean mayHaveAddresses() {
    return free > 0 && !coolingDown && usable;
  }

  /** Whether it may have a block. */
  public boolean mayHaveBlocks() {
    return free >= BLOCK_SIZE && !fragmented && !coolingDown && usable;
  }

  /** Whether an interface can be created there now. */
  public boolean hasRoom() {
    return free >= FREE_MIN && mayHaveAddresses();
  }
}
