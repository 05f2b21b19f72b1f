package io.tidemark.provider.kit.plan;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.NodeSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The address slots on the interfaces of one instance. A provider states the limits of its
 * instances; all numbers of room and capacity follow from them here. Implementations are immutable
 * and pure.
 *
 * <p>An interface has {@link #slots} slots in addition to its primary address; a single uses one, a
 * block uses one. A usable primary address adds one address and no slot.
 */
public interface SlotModel<I extends CachedInterface<I>> {
  /** Default of pre-allocate if the instance type does not limit it. */
  int PRE_ALLOCATE = 8;

  /**
   * Whether a node asks for blocks: the setting, unless the node disables it.
   *
   * @param disabled by the node's resource
   * @param possible whether the cloud gives blocks to instances of its kind
   */
  static boolean asksForBlocks(NodeSettings node, Optional<Boolean> disabled, boolean possible) {
    return node.prefixDelegation() && possible && !disabled.orElse(false);
  }

  // ---- what the provider says

  /** Slots of one interface, 0 or more. */
  int slots();

  /** Whether its addresses are for pods. */
  default boolean usable(I each) {
    return true;
  }

  /** Whether it is the instance's own interface, whose primary address is the node's. */
  default boolean own(I each) {
    return false;
  }

  /** Whether {@link #interfacesMax} counts it. */
  default boolean counts(I each) {
    return true;
  }

  /** The maximum of interfaces of the instance; by default those that are attached. */
  default int interfacesMax(List<I> attached) {
    return attached.size();
  }

  /** Interfaces for pods on an empty instance; empty when unknown, may be below zero. */
  OptionalInt forPodsMax();

  /** Interfaces that can still be attached; 0 or below when none can, which is the default. */
  default int emptySlots(List<I> attached) {
    return 0;
  }

  /** Whether blocks are used. */
  default boolean blocks() {
    return false;
  }

  /** Whether primary addresses are for pods; that of {@link #own the instance's own} is not. */
  default boolean primaryUsable() {
    return false;
  }

  /**
   * Whether blocks are sticky: one interface with singles and no block turns blocks off for the
   * whole node, and an interface with a block releases nothing. Otherwise each interface is
   * independent.
   */
  default boolean stickyBlocks() {
    return false;
  }

  /** Whether capacity counts a usable primary address as a slot, and so as a whole block. */
  default boolean primaryTakesPlace() {
    return false;
  }

  // ---- what follows

  /** The instance's own interface; empty when it is not known. */
  default Optional<I> ownInterface(List<I> attached) {
    return attached.stream().filter(this::own).findFirst();
  }

  /** Whether its primary address is for pods. */
  default boolean primaryServes(I each) {
    return primaryUsable() && !own(each);
  }

  /** Whether it may release addresses. */
  default boolean gives(I each) {
    return usable(each) && !(stickyBlocks() && !each.prefixes().isEmpty());
  }

  /** Free slots of one interface, 0 or more. */
  default int freeSlots(I each) {
    return Math.max(0, slots() - each.slotsTaken());
  }

  /** Whether it is for pods and has a free slot. */
  default boolean hasRoom(I each) {
    return usable(each) && freeSlots(each) > 0;
  }

  /** The pod addresses of a usable interface. */
  default AttachedInterface podAddresses(I each) {
    AddressSet singles =
        primaryServes(each) && each.primaryAddress().isPresent()
            ? each.singles().plus(each.primaryAddress().get())
            : each.singles();
    return new AttachedInterface(each.id(), singles, each.prefixes());
  }

  /** Whether the node uses blocks now. */
  default boolean delegated(List<I> attached) {
    return blocks()
        && (!stickyBlocks()
            || attached.stream()
                .noneMatch(each -> !each.singles().isEmpty() && each.prefixes().isEmpty()));
  }

  /**
   * The maximum of pod addresses of the node, given what is attached; 0 or more.
   *
   * @param retired interfaces that get no more addresses
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
      } else {
        capacity += delegated ? 0 : (Pool.BLOCK_SIZE - 1) * one.prefixes().size();
        capacity -= ofTheNode(one);
      }
    }
    return Math.max(0, capacity);
  }

  /** Addresses that count with each usable primary one and are the node's; not in parity. */
  private int ofTheNode(I usable) {
    return primaryUsable() && !primaryTakesPlace() && own(usable) ? 1 : 0;
  }

  private int addressesPerInterface(boolean delegated) {
    int factor = delegated ? Pool.BLOCK_SIZE : 1;
    int primary = primaryUsable() ? 1 : 0;
    return primaryTakesPlace() ? (slots() + primary) * factor : slots() * factor + primary;
  }

  /** The maximum by instance type alone; empty when it is unknown or leaves no interface. */
  default OptionalInt ceiling(List<I> attached) {
    OptionalInt forPods = forPodsMax();
    if (forPods.isEmpty() || forPods.getAsInt() < 0) {
      return OptionalInt.empty();
    }
    int usable = forPods.getAsInt();
    int factor = delegated(attached) ? Pool.BLOCK_SIZE : 1;
    int primaries = primaryUsable() && !primaryTakesPlace() ? usable : 0;
    for (I each : attached) {
      primaries -= usable(each) ? ofTheNode(each) : 0;
    }
    return OptionalInt.of(usable * slots() * factor + Math.max(0, primaries));
  }

  /**
   * The maximum that can be reached with what is attached: an interface that gives nothing takes
   * its place from those that would. Empty as {@link #ceiling} is.
   */
  default OptionalInt reachable(List<I> attached) {
    OptionalInt ceiling = ceiling(attached);
    return ceiling.isEmpty() || primaryTakesPlace()
        ? ceiling
        : OptionalInt.of(Math.min(ceiling.getAsInt(), capacity(attached, each -> false)));
  }

  /** Default of pre-allocate, limited by the instance type. */
  default int preAllocateDefault() {
    OptionalInt forPods = forPodsMax();
    return forPods.isEmpty()
        ? PRE_ALLOCATE
        : Math.min(PRE_ALLOCATE, Math.max(0, forPods.getAsInt()) * slots());
  }
}
