package io.tidemark.provider.kit;

import io.tidemark.provider.kit.plan.SlotModel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An instance of four interfaces for pods with so many slots each; the first one is its own.
 *
 * @param slots addresses or blocks beside the primary address
 */
public record Places(int slots) implements SlotModel<Held> {
  @Override
  public Optional<Held> ownInterface(List<Held> attached) {
    return attached.stream().findFirst();
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
