package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Inventory;

/**
 * The reference's count of used addresses with blocks (node-manager 2.5): a block that holds one
 * counts whole, an address of an unknown interface does not count. Pure.
 */
final class PrefixUse {
  private PrefixUse() {}

  static int countWithPrefixes(Inventory.Known inventory, AddressSet used) {
    long count = 0;
    for (AttachedInterface each : inventory.interfaces()) {
      for (Cidr block : each.blocks()) {
        if (used.containsAny(block)) {
          count += block.sizeSaturated();
        }
      }
      count += each.singles().intersect(used).size();
    }
    return (int) Math.min(Integer.MAX_VALUE, count);
  }
}
