package io.tidemark.time;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Entries by due time, equal times in the order of arrival. An entry knows its place, so that
 * withdrawing it is exact and leaves nothing behind. Not thread-safe.
 */
final class EntryHeap {
  private static final int NOWHERE = -1;

  /** Four children per parent. */
  private @Nullable Entry[] heap = new @Nullable Entry[64];

  private int size;
  private long arrivals;

  /** Something that waits for an instant. */
  abstract static class Entry {
    private long due;
    private long order;
    private int place = NOWHERE;

    /** Whether it lies in a heap. */
    final boolean isQueued() {
      return place != NOWHERE;
    }

    private boolean precedes(Entry other) {
      long difference = due - other.due;
      return difference < 0 || (difference == 0 && order < other.order);
    }
  }

  int size() {
    return size;
  }

  /** The earliest due time; only when not empty. */
  long firstDue() {
    return at(0).due;
  }

  /** Whether the earliest entry is due at {@code nanos} or before. */
  boolean isDue(long nanos) {
    return size > 0 && at(0).due - nanos <= 0;
  }

  void add(long dueNanos, Entry entry) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    entry.due = dueNanos;
    entry.order = arrivals++;
    siftUp(size++, entry);
  }

  /** Takes the earliest entry; only when not empty. */
  Entry poll() {
    Entry first = at(0);
    remove(first);
    return first;
  }

  /** Withdraws an entry that lies here. */
  void remove(Entry entry) {
    int place = entry.place;
    entry.place = NOWHERE;
    Entry last = at(--size);
    heap[size] = null;
    if (place < size) {
      siftUp(place, last);
      siftDown(last.place, last);
    }
  }

  /** Withdraws every entry that matches. */
  void removeIf(Predicate<Entry> matches) {
    for (Entry each : Arrays.copyOf(heap, size, Entry[].class)) {
      if (matches.test(each)) {
        remove(each);
      }
    }
  }

  private void siftUp(int from, Entry entry) {
    int i = from;
    while (i > 0 && entry.precedes(at((i - 1) >> 2))) {
      put(i, at((i - 1) >> 2));
      i = (i - 1) >> 2;
    }
    put(i, entry);
  }

  private void siftDown(int from, Entry entry) {
    int i = from;
    for (int child = 4 * i + 1; child < size; child = 4 * i + 1) {
      int least = child;
      for (int c = child + 1; c < Math.min(child + 4, size); c++) {
        least = at(c).precedes(at(least)) ? c : least;
      }
      if (entry.precedes(at(least))) {
        break;
      }
      put(i, at(least));
      i = least;
    }
    put(i, entry);
  }

  private void put(int place, Entry entry) {
    heap[place] = entry;
    entry.place = place;
  }

  @SuppressWarnings("NullAway") // places below size always hold an entry
  private Entry at(int place) {
    return heap[place];
  }
}
