package io.tidemark.provider.mock;

import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.Tags;
import java.util.List;
import java.util.OptionalInt;

/**
 * The capacity of an instance of the mock cloud: interfaces at device indexes below the type's
 * number, the instance's own at 0. Pure.
 *
 * @param firstIndex interfaces with a lower device index are not for pods
 * @param indexKnown whether the agent said the first index
 * @param blocks whether blocks are asked for
 */
record MockSlots(
    InstanceType type,
    EniSpec spec,
    int firstIndex,
    boolean indexKnown,
    boolean blocks,
    boolean referenceCompatible)
    implements SlotModel<MockInterface> {

  static MockSlots of(InstanceType type, EniSpec spec, NodeSettings settings) {
    return new MockSlots(
        type,
        spec,
        Math.max(0, spec.firstInterfaceIndex().orElse(0)),
        spec.firstInterfaceIndex().isPresent(),
        SlotModel.asksForBlocks(settings, spec.disablePrefixDelegation(), type.prefixes()),
        settings.referenceCompatible());
  }

  @Override
  public boolean usable(MockInterface eni) {
    return eni.index() >= firstIndex
        && (spec.excludeInterfaceTags().isEmpty()
            || !new Tags(eni.tags()).matches(spec.excludeInterfaceTags()));
  }

  @Override
  public boolean own(MockInterface eni) {
    return eni.index() == 0;
  }

  @Override
  public int slots() {
    return type.slots();
  }

  @Override
  public int interfacesMax(List<MockInterface> attached) {
    return type.interfaces();
  }

  @Override
  public OptionalInt forPodsMax() {
    return indexKnown ? OptionalInt.of(type.interfaces() - firstIndex) : OptionalInt.empty();
  }

  @Override
  public boolean primaryUsable() {
    return spec.usePrimaryAddress().orElse(false);
  }

  @Override
  public boolean stickyBlocks() {
    return referenceCompatible;
  }

  @Override
  public boolean primaryTakesPlace() {
    return referenceCompatible;
  }

  /** IPv6 addresses of the interface are for pods, too. */
  @Override
  public AttachedInterface podAddresses(MockInterface eni) {
    AttachedInterface ipv4 = SlotModel.super.podAddresses(eni);
    return new AttachedInterface(
        ipv4.id(), ipv4.singles().plus(eni.ipv6().addresses()), ipv4.blocks());
  }

  /** Negative when there are more than the type allows. */
  @Override
  public int emptySlots(List<MockInterface> interfaces) {
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
  OptionalInt firstFreeIndex(List<MockInterface> interfaces) {
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

  private static boolean taken(List<MockInterface> interfaces, int index) {
    return interfaces.stream().anyMatch(eni -> eni.index() == index);
  }
}
