package io.tidemark.spi;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Objects;

/**
 * The pod addresses of one attached interface. An address is either a single or part of a block,
 * never both (node-manager 4.9 NM-C7); the primary address appears only where pods may use it.
 *
 * @param singles addresses given and taken one by one
 * @param blocks IPv4 blocks given and taken whole, a /28 each
 */
public record AttachedInterface(InterfaceId id, AddressSet singles, List<Cidr> blocks) {
  public AttachedInterface {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(singles, "singles");
    blocks = List.copyOf(blocks);
  }

  /** Number of addresses, blocks counted whole. */
  public int size() {
    int size = singles.size();
    for (Cidr block : blocks) {
      size += (int) Math.min(Integer.MAX_VALUE, block.sizeSaturated());
    }
    return size;
  }
}
