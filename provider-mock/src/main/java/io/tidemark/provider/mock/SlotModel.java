package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.Tags;
import java.util.List;
import java.util.OptionalInt;

/**
 * Places for addresses on the interfaces of one instance. Pure; every number of room and capacity
 * comes from here.
 *
 * <p>An interface has {@code slots} places beside its primary address; a single takes one, a block
 * of 16 takes one. A usable primary address adds one address and no place.
 *
 * @param firstIndex interfaces with a lower device index are not for pods
 * @param indexKnown whether the agent said the first index
 * @param blocks whether blocks are asked for
 */
record SlotModel(
    InstanceType type,
    EniSpec spec,
    int firstIndex,
    boolean indexKnown,
    boolean blocks,
    boolean referenceCompatible) {

  static SlotModel of(InstanceType type, EniSpec spec, NodeSettings settings) {
    boolean blocks =
        settings.prefixDelegation()
            && type.prefixes()
            && !spec.disablePrefixDelegation().orElse(false);
    return new SlotModel(
        type,
        spec,
        Math.max(0, spec.firstInterfaceIndex().orElse(0)),
        spec.firstInterfaceIndex().isPresent(),
        blocks,
        settings.referenceCompatible());
  }

  /** Whether pods may use its addresses. */
  boolean usable(Eni eni) {
    return eni.index() >= firstIndex
        && (spec.excludeInterfaceTags().isEmpty()
            || !new Tags(eni.tags()).matches(spec.excludeInterfaceTags()));
  }

  int freeSlots(Eni eni) {
    return Math.max(0, type.slots() - eni.slotsTaken());
  }

  boolean primaryUsable() {
    return spec.usePrimaryAddress().orElse(false);
  }

  /** The addresses of a usable interface that pods may have. */
  AttachedInterface podAddresses(Eni eni) {
    AddressSet singles = primaryUsable() ? eni.singles().plus(eni.primary()) : eni.singles();
    return new AttachedInterface(eni.id(), singles.plus(eni.ipv6().addresses()), eni.prefixes());
  }

  /**
   * Whether the node works with blocks now. The reference gives blocks up for the whole node as
   * soon as one interface has singles and no block (2.5); here each interface stands for itself.
   */
  boolean delegated(List<Eni> interfaces) {
    return blocks
        && (!referenceCompatible
            || interfaces.stream()
                .noneMatch(eni -> !eni.singles().isEmpty() && eni.prefixes().isEmpty()));
  }

  /** Addresses of an empty interface. */
  int addressesPerInterface(boolean delegated) {
    int factor = delegated ? MockPools.BLOCK_SIZE : 1;
    int primary = primaryUsable() ? 1 : 0;
    return referenceCompatible
        ? (type.slots() + primary) * factor
        : type.slots() * factor + primary;
  }

  /** Pod addresses the node could ever have, given what is attached (2.5). */
  int capacity(List<Eni> interfaces) {
    boolean delegated = delegated(interfaces);
    int each = addressesPerInterface(delegated);
    int capacity = type.interfaces() * each;
    for (Eni eni : interfaces) {
      if (!usable(eni)) {
        capacity -= each;
      } else if (!delegated) {
        capacity += (MockPools.BLOCK_SIZE - 1) * eni.prefixes().size();
      }
    }
    return Math.max(0, capacity);
  }

  /** Ceiling by instance type alone (2.1); empty when the first index is not known. */
  OptionalInt ceiling(List<Eni> interfaces) {
    if (!indexKnown || type.interfaces() < firstIndex) {
      return OptionalInt.empty();
    }
    int usable = type.interfaces() - firstIndex;
    int factor = delegated(interfaces) ? MockPools.BLOCK_SIZE : 1;
    int primaries = primaryUsable() && !referenceCompatible ? usable : 0;
    return OptionalInt.of(usable * type.slots() * factor + primaries);
  }

  /** Default of pre-allocate (2.1): no more than the type can carry. */
  int preAllocateDefault() {
    if (!indexKnown) {
      return MockNode.PRE_ALLOCATE;
    }
    int usable = Math.max(0, type.interfaces() - firstIndex);
    return Math.min(MockNode.PRE_ALLOCATE, usable * type.slots());
  }

  /** Interfaces that can still be attached; negative when there are more than the type allows. */
  int emptySlots(List<Eni> interfaces) {
    int left = type.interfaces() - interfaces.size();
    if (left <= 0) {
      return left;
    }
    int freeIndexes = 0;
    for (int index = lowestNewIndex(); index < type.interfaces(); index++) {
      freeIndexes += taken(interfaces, index) ? 0 : 1;
    }
    return Math.min(left, freeIndexes);
  }

  /** Where the next interface goes. */
  OptionalInt firstFreeIndex(List<Eni> interfaces) {
    for (int index = lowestNewIndex(); index < type.interfaces(); index++) {
      if (!taken(interfaces, index)) {
        return OptionalInt.of(index);
      }
    }
    return OptionalInt.empty();
  }

  /** Index 0 is the instance's own. */
  private int lowestNewIndex() {
    return Math.max(1, firstIndex);
  }

  private static boolean taken(List<Eni> interfaces, int index) {
    return interfaces.stream().anyMatch(eni -> eni.index() == index);
  }
}
