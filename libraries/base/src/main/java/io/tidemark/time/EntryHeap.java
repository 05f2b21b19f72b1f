package io.tidemark.time;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Entries by due time, equal times in the order of arrival. Not thread-safe.
 *
 * <p>Four children per parent, and the keys apart from the entries: comparing reads consecutive
 * memory, and neither comparing nor moving touches an entry. An entry keeps one slot while it lies
 * here and the heap knows the position of each slot, so that withdrawing it is exact and leaves
 * nothing behind.
 */
final class EntryHeap {
  private static final int FIRST_CAPACITY = 64;
  private static final int NOWHERE = -1;

  private long[] due = new long[FIRST_CAPACITY];
  private long[] order = new long[FIRST_CAPACITY];

  /** The slot at each position; those of the positions from {@link #size} are not in use. */
  private int[] slots = numbers(new int[FIRST_CAPACITY], 0);

  /** The position of each slot in use. */
  private int[] positions = new int[FIRST_CAPACITY];

  /** The entry in each slot. */
  private @Nullable Entry[] entries = new @Nullable Entry[FIRST_CAPACITY];

  private int size;
  private long arrivals;

  /** Something that waits for an instant. */
  abstract static class Entry {
    private int slot = NOWHERE;

    /** Whether it lies in a heap. */
    final boolean isQueued() {
      return slot != NOWHERE;
    }
  }

  int size() {
    return size;
  }

  /** The earliest due time; only when not empty. */
  long firstDue() {
    return due[0];
  }

  /** Whether the earliest entry is due at {@code nanos} or before. */
  boolean isDue(long nanos) {
    return size > 0 && due[0] - nanos <= 0;
  }

  void add(long dueNanos, Entry entry) {
    if (size == due.length) {
      grow();
    }
    int slot = slots[size];
    entries[slot] = entry;
    entry.slot = slot;
    siftUp(size++, dueNanos, arrivals++, slot);
  }

  /** Takes the earliest entry; only when not empty. */
  Entry poll() {
    Entry first = at(0);
    removeAt(0);
    return first;
  }

  /** Withdraws an entry that lies here. */
  void remove(Entry entry) {
    removeAt(positions[entry.slot]);
  }

  /** Withdraws every entry that matches. */
  void removeIf(Predicate<Entry> matches) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int slot = slots[i];
      Entry entry = at(i);
      if (matches.test(entry)) {
        entry.slot = NOWHERE;
        entries[slot] = null;
      } else {
        slots[i] = slots[kept];
        put(kept++, due[i], order[i], slot);
      }
    }
    size = kept;
    for (int i = (size - 2) >> 2; i >= 0; i--) {
      siftDown(i, due[i], order[i], slots[i]);
    }
  }

  private void removeAt(int position) {
    int freed = slots[position];
    at(position).slot = NOWHERE;
    entries[freed] = null;
    int last = --size;
    long lastDue = due[last];
    long lastOrder = order[last];
    int moved = slots[last];
    slots[last] = freed;
    if (position == last) {
      return;
    }
    if (position > 0 && precedes(lastDue, lastOrder, (position - 1) >> 2)) {
      siftUp(position, lastDue, lastOrder, moved);
    } else {
      siftDown(position, lastDue, lastOrder, moved);
    }
  }

  private void siftUp(int from, long entryDue, long entryOrder, int slot) {
    int i = from;
    while (i > 0) {
      int parent = (i - 1) >> 2;
      if (!precedes(entryDue, entryOrder, parent)) {
        break;
      }
      put(i, due[parent], order[parent], slots[parent]);
      i = parent;
    }
    put(i, entryDue, entryOrder, slot);
  }

  private void siftDown(int from, long entryDue, long entryOrder, int slot) {
    int i = from;
    while (true) {
      int child = (i << 2) + 1;
      if (child >= size) {
        break;
      }
      int least = child;
      int end = Math.min(child + 4, size);
      for (int c = child + 1; c < end; c++) {
        if (precedes(due[c], order[c], least)) {
          least = c;
        }
      }
      if (precedes(entryDue, entryOrder, least)) {
        break;
      }
      put(i, due[least], order[least], slots[least]);
      i = least;
    }
    put(i, entryDue, entryOrder, slot);
  }

  private boolean precedes(long aDue, long aOrder, int b) {
    long difference = aDue - due[b];
    return difference < 0 || (difference == 0 && aOrder < order[b]);
  }

  private void put(int i, long entryDue, long entryOrder, int slot) {
    due[i] = entryDue;
    order[i] = entryOrder;
    slots[i] = slot;
    positions[slot] = i;
  }

  @SuppressWarnings("NullAway") // the slots of positions below size always hold an entry
  private Entry at(int i) {
    return entries[slots[i]];
  }

  private void grow() {
    int more = size * 2;
    due = Arrays.copyOf(due, more);
    order = Arrays.copyOf(order, more);
    slots = numbers(Arrays.copyOf(slots, more), size);
    positions = Arrays.copyOf(positions, more);
    entries = Arrays.copyOf(entries, more);
  }

  /** Fills an array with its own indices from one of them on. */
  private static int[] numbers(int[] array, int from) {
    for (int i = from; i < array.length; i++) {
      array[i] = i;
    }
    return array;
  }
}
