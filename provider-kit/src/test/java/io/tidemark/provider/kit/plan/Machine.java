package io.tidemark.provider.kit.plan;

import io.tidemark.provider.kit.Held;
import java.util.List;
import java.util.OptionalInt;

/**
 * A machine of {@code interfaces} interfaces with {@code slots} places each; interface 0 serves no
 * pods, and those of pool {@code others} are not counted.
 */
record Machine(
    int interfaces,
    int slots,
    boolean blocks,
    boolean primaryUsable,
    boolean stickyBlocks,
    boolean primaryTakesPlace)
    implements SlotModel<Held> {
  static Machine plain(int interfaces, int slots) {
    return new Machine(interfaces, slots, false, false, false, false);
  }

  Machine withBlocks(boolean sticky) {
    return new Machine(interfaces, slots, true, primaryUsable, sticky, primaryTakesPlace);
  }

  Machine withPrimary(boolean takesPlace) {
    return new Machine(interfaces, slots, blocks, true, stickyBlocks, takesPlace);
  }

  @Override
  public boolean usable(Held each) {
    return !each.id().text().equals("eni-0");
  }

  @Override
  public boolean counts(Held each) {
    return !each.pool().text().equals("others");
  }

  @Override
  public int interfacesMax(List<Held> attached) {
    return interfaces;
  }

  @Override
  public OptionalInt forPodsMax() {
    return OptionalInt.of(interfaces - 1);
  }

  @Override
  public int emptySlots(List<Held> attached) {
    return interfaces - attached.size();
  }
}
