package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.spi.PoolId;

/**
 * A subnet as plans see it.
 *
 * @param free addresses nobody holds, less what our requests on the way will take
 * @param fragmented a block was refused here a short while ago
 */
record Pool(PoolId id, Subnet subnet, int free, boolean fragmented) {

  /** Whether a block can be hoped for. */
  boolean mayHaveBlocks() {
    return free >= MockPools.BLOCK_SIZE && !fragmented;
  }
}
