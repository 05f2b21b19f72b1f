package io.tidemark.provider.mock.cloud;

import java.util.Objects;

/**
 * A subnet and what is free in it.
 *
 * @param freeAddresses addresses nobody holds, in one piece or not
 */
public record SubnetView(Subnet subnet, int freeAddresses) {
  public SubnetView {
    Objects.requireNonNull(subnet, "subnet");
  }
}
