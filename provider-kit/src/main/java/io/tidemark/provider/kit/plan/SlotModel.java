package io.tidemark.provider.kit.plan;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.AttachedInterface;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Places for addresses on the interfaces of one instance. A provider says what its instances can
 * carry; every number of room and capacity follows from that here. Implementations are immutable
 * and pure.
 *
 * <p>An interface has {@link #slots} places beside its primary address; a single takes one, a block
 * takes one. A usable primary address adds one address and no place.
 *
 * @param <I> the provider's own interface type
 */
public interface SlotModel<I extends CachedInterface<I>> {
  /** Default of pre-allocate where the type of the instance does not limit it. */
  int PRE_ALLOCATE = 8;

  // ---- what the provider says

  /** Places of one interface, 0 or more. */
  int slots();

  /** Whether pods may use its addresses. */
  default boolean usable(I each) {
    return true;
  }

  /** The interface that the instance was born with; empty when it is not known. */
  default Optional<I> ownInterface(List<I> attached) {
    return Optional.empty();
  }

  /** Whether it takes one of the places that {@link #interfacesMax} counts. */
  default boolean counts(I each) {
    return true;
  }

  /** Interfaces that the instance may have in all, given what is attached. */
  int interfacesMax(List<I> attached);

  /**
   * Interfaces for pods on an empty instance; empty when not known, below zero when the settings
   * leave none.
   */
  OptionalInt forPodsMax();

  /** Interfaces that can still be attached; 0 or below when there is no place for one. */
  int emptySlots(List<I> attached);

  /** Whether blocks are asked for. */
  default boolean blocks() {
    return false;
  }

  /** Whether the primary address of each interface is for pods. */
  default boolean primaryUsable() {
    return false;
  }

  /**
   * Whether blocks are sticky: one interface with singles and no block ends blocks for the whole
   * node, and an interface with a block gives nothing back. Otherwise each interface stands for
   * itself.
   */
  default boolean stickyBlocks() {
    return false;
  }

  /** Whether capacity counts a usable primary address as a place, and so as a whole block. */
  default boolean primaryTakesPlace() {
    return false;
  }

  // ---- what follows

  /** Whether it may give addresses back. */
  default boolean gives(I each) {
    return usable(each) && !(stickyBlocks() && !each.prefixes().isEmpty());
  }

  /** Places left on one interface, 0 or more. */
  default int freeSlots(I each) {
    return Math.max(0, slots() - each.slotsTaken());
  }

  /** Whether pods may use it and it has a place left. */
  default boolean hasRoom(I each) {
    return usable(each) && freeSlots(each) > 0;
  }

  /** The addresses of a usable interface that pods may have. */
  default AttachedInterface podAddresses(I each) {
    AddressSet singles =
        primaryUsable() && each.primaryAddress().isPresent()
            ? each.singles().plus(each.primaryAddress().get())
            : each.singles();
    return new AttachedInterface(each.id(), singles, each.prefixes());
  }

  /** Whether the node works with blocks now. */
  default boolean delegated(List<I> attached) {
    return blocks()
        && (!stickyBlocks()
            || attached.stream()
                .noneMatch(each -> !each.singles().isEmpty() && each.prefixes().isEmpty()));
  }

  /**
   * Pod addresses the node could ever have, given what is attached; 0 or more.
   *
   * @param retired interfaces that get no more than they have
   */
  default int capacity(List<I> attached, Predicate<I> retired) {
    boolean delegated = delegated(attached);
    int each = addressesPerInterface(delegated);
    int capacity = interfacesMax(attached) * each;
    for (I one : attached) {
      if (!counts(one)) {
        continue;
      }
      if (!usable(one)) {
        capacity -= each;
      } else if (retired.test(one)) {
        capacity += podAddresses(one).size() - each;
      } else if (!delegated) {
        capacity += (Pool.BLOCK_SIZE - 1) * one.prefixes().size();
      }
    }
    return Math.max(0, capacity);
  }

  private int addressesPerInterface(boolean delegated) {
    int factor = delegated ? Pool.BLOCK_SIZE : 1;
    int primary = primaryUsable() ? 1 : 0;
    return primaryTakesPlace() ? (slots() + primary) * factor : slots() * factor + primary;
  }

  /** Ceiling by the instance's type alone; empty when it is not known or leaves no interface. */
  default OptionalInt ceiling(List<I> attached) {
    OptionalInt forPods = forPodsMax();
    if (forPods.isEmpty() || forPods.getAsInt() < 0) {
      return OptionalInt.empty();
    }
    int usable = forPods.getAsInt();
    int factor = delegated(attached) ? Pool.BLOCK_SIZE : 1;
    int primaries = primaryUsable() && !primaryTakesPlace() ? usable : 0;
    return OptionalInt.of(usable * slots() * factor + primaries);
  }

  /** Default of pre-allocate: no more than the type can carry. */
  default int preAllocateDefault() {
    OptionalInt forPods = forPodsMax();
    return forPods.isEmpty()
        ? PRE_ALLOCATE
        : Math.min(PRE_ALLOCATE, Math.max(0, forPods.getAsInt()) * slots());
  }
}
