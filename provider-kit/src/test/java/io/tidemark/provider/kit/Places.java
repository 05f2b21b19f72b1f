package io.tidemark.provider.kit;

import io.tidemark.provider.kit.plan.SlotModel;
import java.util.List;
import java.util.OptionalInt;

/**
 * An instance of four interfaces for pods with so many slots each; eni-0 is its own, and what is
 * named {@code excluded} is not for pods.
 *
 * @param slots addresses or blocks beside the primary address
 */
public record Places(int slots) implements SlotModel<Held> {
  @Override
  public boolean usable(Held each) {
    return !each.id().text().startsWith("excluded");
  }

  @Override
  public boolean own(Held each) {
    return each.id().text().equals("eni-0");
  }

  @Override
  public int interfacesMax(List<Held> attached) {
    return 4;
  }

  @Override
  public OptionalInt forPodsMax() {
    return OptionalInt.of(4);
  }

  @Override
  public int emptySlots(List<Held> attached) {
    return 4 - attached.size();
  }
}
