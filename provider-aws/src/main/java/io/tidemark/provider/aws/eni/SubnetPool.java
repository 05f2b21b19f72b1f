package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Subnet;
import io.tidemark.spi.PoolId;

/**
 * A subnet as plans see it.
 *
 * @param free addresses nobody holds, less what our requests on the way will take
 * @param coolingDown an address was refused here a short while ago
 * @param fragmented a prefix was refused here a short while ago
 */
record SubnetPool(PoolId id, Subnet subnet, int free, boolean coolingDown, boolean fragmented) {
  /** A new interface takes a primary address and needs another to be of use. */
  private static final int FREE_MIN = 2;

  /** Whether addresses can be hoped for. */
  boolean mayHaveAddresses() {
    return free > 0 && !coolingDown && subnet.usable();
  }

  /** Whether a prefix can be hoped for. */
  boolean mayHaveBlocks() {
    return free >= SlotModel.BLOCK_SIZE && !fragmented && !coolingDown && subnet.usable();
  }

  /** Whether an interface can be created there now. */
  boolean hasRoom() {
    return free >= FREE_MIN && mayHaveAddresses();
  }
}
