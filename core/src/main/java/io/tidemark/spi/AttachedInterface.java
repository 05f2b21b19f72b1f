package io.tidemark.spi;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Objects;

/**
 * The pod addresses of one attached interface. An address is either a single or part of a block,
 * never both (node-manager 4.9 NM-C7); the primary address appears only where pods may use it.
 *
 * @param singles addresses assigned and unassigned one by one
 * @param blocks IPv4 blocks assigned and unassigned whole, a /28 each
 * @param draining it is drained as its pods end: no plan adds to it, and all its addresses can be
 *     released. If surplus is released, core allocates replacements elsewhere for those that no pod
 *     uses, as far as the watermarks need them, and then releases these
 */
public record AttachedInterface(
    InterfaceId id, AddressSet singles, List<Cidr> blocks, boolean draining) {
  public AttachedInterface {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(singles, "singles");
    blocks = List.copyOf(blocks);
  }

  /** An interface that stays in use. */
  public AttachedInterface(InterfaceId id, AddressSet singles, List<Cidr> blocks) {
    this(id, singles, blocks, false);
  }

  /** The same interface, draining. */
  public AttachedInterface drained() {
    return new AttachedInterface(id, singles, blocks, true);
  }

  /** Number of addresses, blocks counted whole. */
  public int size() {
    int size = singles.size();
    for (Cidr block : blocks) {
      size += (int) Math.min(Integer.MAX_VALUE, block.sizeSaturated());
    }
    return size;
  }

  /** Every address, blocks expanded. */
  public AddressSet addresses() {
    AddressSet all = singles;
    for (Cidr block : blocks) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  /** Whether it holds {@code address}; builds no set. */
  public boolean contains(IpAddress address) {
    if (singles.contains(address)) {
      return true;
    }
    for (Cidr block : blocks) {
      if (block.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** Every address of these interfaces, blocks expanded. */
  public static AddressSet addressesOf(List<AttachedInterface> interfaces) {
    AddressSet all = AddressSet.of();
    for (AttachedInterface each : interfaces) {
      all = all.isEmpty() ? each.addresses() : all.plus(each.addresses());
    }
    return all;
  }
}
