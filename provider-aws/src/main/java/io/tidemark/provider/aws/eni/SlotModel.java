package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.Tags;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Places for addresses on the interfaces of one instance (provider-aws 3.1). Pure; every number of
 * room and capacity comes from here.
 *
 * <p>An interface has {@code slots} places beside its primary address; a single takes one, a /28
 * prefix takes one. A usable primary address adds one address and no place. Only network card 0 is
 * used (2.5).
 *
 * @param places attachable on card 0, or fewer when EC2 refused more
 * @param reserved places of them for interfaces of others, those that are there included
 * @param firstIndex interfaces with a lower device index are not for pods
 * @param blocks whether prefixes are asked for
 * @param settings of the node; in the reference's profile with its numbers (M16)
 */
record SlotModel(
    InstanceType type,
    EniSpec spec,
    int places,
    int reserved,
    int firstIndex,
    boolean blocks,
    EniSettings settings) {
  /** The reference's default of pre-allocate. */
  static final int PRE_ALLOCATE = 8;

  /** Addresses of a /28. */
  static final int BLOCK_SIZE = 16;

  /**
   * The model of a node.
   *
   * @param learnedMax interfaces that EC2 refused to exceed; empty when it never did
   */
  static SlotModel of(
      InstanceType type,
      EniSpec spec,
      NodeSettings node,
      EniSettings settings,
      OptionalInt learnedMax) {
    boolean nitro = type.hypervisor().equals("nitro") || type.bareMetal();
    boolean blocks =
        node.prefixDelegation() && nitro && !spec.disablePrefixDelegation().orElse(false);
    return new SlotModel(
        type,
        spec,
        Math.min(type.interfacesOnCard0(), learnedMax.orElse(Integer.MAX_VALUE)),
        settings.reservedInterfaces(),
        Math.max(0, spec.firstInterfaceIndex().orElse(0)),
        blocks,
        settings.in(node));
  }

  /** Places of one interface. */
  int slots() {
    return Math.max(0, type.ipv4PerInterface() - 1);
  }

  EniSettings.Parity parity() {
    return settings.parity();
  }

  /** Whether pods may use its addresses. */
  boolean usable(Eni eni) {
    return (eni.kind() == Eni.Kind.ORDINARY
            || (eni.kind() == Eni.Kind.TRUNK && settings.scope().trunks()))
        && eni.onCard0()
        && eni.index() >= firstIndex
        && (spec.excludeInterfaceTags().isEmpty()
            || !new Tags(eni.tags()).matches(spec.excludeInterfaceTags()));
  }

  /** Whether it may give addresses back: where prefixes are sticky, none with one does. */
  boolean gives(Eni eni) {
    return usable(eni) && !(parity().sticky() && !eni.prefixes().isEmpty());
  }

  int freeSlots(Eni eni) {
    return Math.max(0, slots() - eni.slotsTaken());
  }

  boolean primaryUsable() {
    return spec.usePrimaryAddress().orElse(false);
  }

  /** The addresses of a usable interface that pods may have. */
  AttachedInterface podAddresses(Eni eni) {
    return new AttachedInterface(
        eni.id(),
        primaryUsable() && eni.primary().isPresent()
            ? eni.singles().plus(eni.primary().get())
            : eni.singles(),
        eni.prefixes());
  }

  /**
   * Whether the node works with prefixes now. The reference gives them up for the whole node as
   * soon as one interface has singles and no prefix (3.10); here each interface stands for itself.
   */
  boolean delegated(List<Eni> interfaces) {
    return blocks
        && (!parity().sticky()
            || interfaces.stream()
                .noneMatch(eni -> !eni.singles().isEmpty() && eni.prefixes().isEmpty()));
  }

  /**
   * Pod addresses the node could ever have, given what is attached (3.6).
   *
   * @param retired interfaces that get no more than they have
   */
  int capacity(List<Eni> interfaces, Predicate<Eni> retired) {
    boolean delegated = delegated(interfaces);
    int each = addressesPerInterface(delegated);
    int capacity = interfacesMax(interfaces) * each;
    for (Eni eni : interfaces) {
      if (!eni.onCard0()) {
        continue;
      }
      if (!usable(eni)) {
        capacity -= each;
      } else if (retired.test(eni)) {
        capacity += podAddresses(eni).size() - each;
      } else if (!delegated) {
        capacity += (BLOCK_SIZE - 1) * eni.prefixes().size();
      }
    }
    return Math.max(0, capacity);
  }

  /** Addresses of an empty interface. */
  private int addressesPerInterface(boolean delegated) {
    int factor = delegated ? BLOCK_SIZE : 1;
    int primary = primaryUsable() ? 1 : 0;
    return parity().capacity() ? (slots() + primary) * factor : slots() * factor + primary;
  }

  /** Ceiling by instance type alone (3.8); 0 when the type has no place for pods. */
  OptionalInt ceiling(List<Eni> interfaces) {
    int usable = forPodsMax();
    int factor = delegated(interfaces) ? BLOCK_SIZE : 1;
    int primaries = primaryUsable() && !parity().capacity() ? usable : 0;
    return OptionalInt.of(usable * slots() * factor + primaries);
  }

  /** Default of pre-allocate (3.9): no more than the type can carry. */
  int preAllocateDefault() {
    return Math.min(PRE_ALLOCATE, forPodsMax() * slots());
  }

  /** Interfaces that can still be attached; negative when there are more than the type allows. */
  int emptySlots(List<Eni> interfaces) {
    int left = interfacesMax(interfaces) - (int) interfaces.stream().filter(Eni::onCard0).count();
    if (left <= 0) {
      return left;
    }
    int freeIndexes = 0;
    for (int index = lowestNewIndex(); index < type.interfacesOnCard0(); index++) {
      freeIndexes += taken(interfaces, index) ? 0 : 1;
    }
    return Math.min(left, freeIndexes);
  }

  /** Interfaces that may be attached in all, reserved places left free. */
  int interfacesMax(List<Eni> interfaces) {
    int others =
        settings.scope().trunks()
            ? 0
            : (int) interfaces.stream().filter(eni -> eni.kind() == Eni.Kind.TRUNK).count();
    return places - Math.max(0, reserved - others);
  }

  private int forPodsMax() {
    return Math.max(0, places - reserved - firstIndex);
  }

  /** Where the next interface goes, at or above {@code from}. */
  OptionalInt firstFreeIndex(List<Eni> interfaces, int from) {
    for (int index = Math.max(from, lowestNewIndex()); index < type.interfacesOnCard0(); index++) {
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
    return interfaces.stream().anyMatch(eni -> eni.onCard0() && eni.index() == index);
  }
}
