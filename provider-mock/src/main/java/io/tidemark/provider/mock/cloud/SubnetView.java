package io.tidemark.provider.mock.cloud;

import java.util.Objects;

/**
 * A subnet and what is free in it.
 *
 * @param freeAddresses addresses nobody holds, in one piece or not
 * @param freeBlocks aligned /28 runs of which nobody holds an address
 */
public record SubnetView(Subnet subnet, int freeAddresses, int freeBlocks) {
  public SubnetView {
    Objects.requireNonNull(subnet, "subnet");
  }
}
