package io.tidemark.provider.mock;

import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.mock.cloud.InstanceLimits;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.Tags;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** The capacity of an instance: indexes below the limit, the instance's own at 0. Pure. */
record MockSlots(InstanceLimits limits, EniSpec spec, NodeSettings settings)
    implements SlotModel<MockInterface> {
  /** Interfaces with a lower index are not for pods. */
  int firstIndex() {
    return Math.max(0, spec.firstInterfaceIndex().orElse(0));
  }

  @Override
  public boolean usable(MockInterface each) {
    return each.index() >= firstIndex()
        && (spec.excludeInterfaceTags().isEmpty()
            || !new Tags(each.fixed().tags()).matches(spec.excludeInterfaceTags()));
  }

  @Override
  public boolean own(MockInterface each) {
    return each.index() == 0;
  }

  @Override
  public int slots() {
    return limits.slots();
  }

  @Override
  public int interfacesMax(List<MockInterface> attached) {
    return limits.interfaces();
  }

  @Override
  public OptionalInt forPodsMax() {
    return spec.firstInterfaceIndex().isPresent()
        ? OptionalInt.of(limits.interfaces() - firstIndex())
        : OptionalInt.empty();
  }

  @Override
  public boolean blocks() {
    return SlotModel.asksForBlocks(settings, spec.disablePrefixDelegation(), limits.prefixes());
  }

  @Override
  public boolean primaryUsable() {
    return spec.usePrimaryAddress().orElse(false);
  }

  @Override
  public boolean stickyBlocks() {
    return settings.referenceCompatible();
  }

  @Override
  public boolean primaryTakesPlace() {
    return settings.referenceCompatible();
  }

  /** Negative when there are more than the limit. */
  @Override
  public int emptySlots(List<MockInterface> attached) {
    int left = limits.interfaces() - attached.size();
    return left <= 0 ? left : Math.min(left, (int) freeIndexes(attached).count());
  }

  /** Where the next interface goes. */
  int firstFreeIndex(List<MockInterface> attached) {
    return freeIndexes(attached).findFirst().orElseThrow();
  }

  private IntStream freeIndexes(List<MockInterface> attached) {
    return IntStream.range(Math.max(1, firstIndex()), limits.interfaces())
        .filter(index -> attached.stream().noneMatch(each -> each.index() == index));
  }
}
