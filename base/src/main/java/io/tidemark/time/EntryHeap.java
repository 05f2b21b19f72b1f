package io.tidemark.time;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Entries by due time, equal times in the order of arrival. Not thread-safe.
 *
 * <p>Four children per parent, and the keys apart from the entries: comparing reads consecutive
 * memory and touches no entry. An entry knows its position, so that withdrawing it is exact and
 * leaves nothing behind.
 */
final class EntryHeap {
  private static final int FIRST_CAPACITY = 64;
  private static final int NOWHERE = -1;

  private long[] due = new long[FIRST_CAPACITY];
  private long[] order = new long[FIRST_CAPACITY];
  private @Nullable Entry[] entries = new @Nullable Entry[FIRST_CAPACITY];
  private int size;
  private long arrivals;

  /** Something that waits for an instant. */
  abstract static class Entry {
    private int position = NOWHERE;

    /** Whether it lies in a heap. */
    final boolean isQueued() {
      return position != NOWHERE;
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
    siftUp(size++, dueNanos, arrivals++, entry);
  }

  /** Takes the earliest entry; only when not empty. */
  Entry poll() {
    Entry first = at(0);
    removeAt(0);
    return first;
  }

  /** Withdraws an entry that lies here. */
  void remove(Entry entry) {
    removeAt(entry.position);
  }

  /** Withdraws every entry that matches. */
  void removeIf(Predicate<Entry> matches) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      Entry entry = at(i);
      if (matches.test(entry)) {
        entry.position = NOWHERE;
      } else {
        put(kept++, due[i], order[i], entry);
      }
    }
    Arrays.fill(entries, kept, size, null);
    size = kept;
    for (int i = (size - 2) >> 2; i >= 0; i--) {
      siftDown(i, due[i], order[i], at(i));
    }
  }

  private void removeAt(int position) {
    at(position).position = NOWHERE;
    int last = --size;
    long lastDue = due[last];
    long lastOrder = order[last];
    Entry moved = at(last);
    entries[last] = null;
    if (position == last) {
      return;
    }
    if (position > 0 && precedes(lastDue, lastOrder, (position - 1) >> 2)) {
      siftUp(position, lastDue, lastOrder, moved);
    } else {
      siftDown(position, lastDue, lastOrder, moved);
    }
  }

  private void siftUp(int from, long entryDue, long entryOrder, Entry entry) {
    int i = from;
    while (i > 0) {
      int parent = (i - 1) >> 2;
      if (!precedes(entryDue, entryOrder, parent)) {
        break;
      }
      put(i, due[parent], order[parent], at(parent));
      i = parent;
    }
    put(i, entryDue, entryOrder, entry);
  }

  private void siftDown(int from, long entryDue, long entryOrder, Entry entry) {
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
      put(i, due[least], order[least], at(least));
      i = least;
    }
    put(i, entryDue, entryOrder, entry);
  }

  private boolean precedes(long aDue, long aOrder, int b) {
    long difference = aDue - due[b];
    return difference < 0 || (difference == 0 && aOrder < order[b]);
  }

  private void put(int i, long entryDue, long entryOrder, Entry entry) {
    due[i] = entryDue;
    order[i] = entryOrder;
    entries[i] = entry;
    entry.position = i;
  }

  @SuppressWarnings("NullAway") // positions below size always hold an entry
  private Entry at(int i) {
    return entries[i];
  }

  private void grow() {
    int more = size * 2;
    due = Arrays.copyOf(due, more);
    order = Arrays.copyOf(order, more);
    entries = Arrays.copyOf(entries, more);
  }
}
