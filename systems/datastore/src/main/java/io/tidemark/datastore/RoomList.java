package io.tidemark.datastore;

import io.tidemark.ip.RoomOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Things that have room for addresses and come and go, of which the fullest with room is found in
 * constant time; of several the one in the lowest slot. Mutable, with one owner.
 */
final class RoomList<T> {
  private static final int FIRST_SLOTS = 16;

  private final List<@Nullable T> items = new ArrayList<>();
  private int widest = 1;
  private RoomOrder order = new RoomOrder(FIRST_SLOTS, widest);
  private int slots = FIRST_SLOTS;

  /** Adds one without room; its slot. */
  int add(T item) {
    int slot = items.indexOf(null);
    if (slot >= 0) {
      items.set(slot, item);
      return slot;
    }
    items.add(item);
    if (items.size() > slots) {
      grow(2 * slots, widest);
    }
    return items.size() - 1;
  }

  void remove(int slot) {
    order.setFree(slot, 0);
    items.set(slot, null);
  }

  void setFree(int slot, int free) {
    if (free > widest) {
      grow(slots, Math.max(free, 2 * widest));
    }
    order.setFree(slot, free);
  }

  /** The fullest that has room; null when none has. */
  @Nullable T fullest() {
    int slot = order.fullest();
    return slot < 0 ? null : items.get(slot);
  }

  private void grow(int newSlots, int newWidest) {
    RoomOrder next = new RoomOrder(newSlots, newWidest);
    for (int slot = 0; slot < Math.min(slots, items.size()); slot++) {
      next.setFree(slot, order.free(slot));
    }
    order = next;
    slots = newSlots;
    widest = newWidest;
  }
}
