package io.tidemark.time;

import java.util.Arrays;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Items that were given back and must not be used again at once, the oldest first. The owner
 * compares {@link #headNanos()} with its pause. Access to the head takes constant time, and adding
 * and taking an item allocates no object.
 *
 * <p>Items are compared with {@code equals}, and each is in the queue at most once. Mutable and not
 * thread-safe: it has one owner.
 */
public final class CoolingQueue<T> {
  private static final int FIRST_CAPACITY = 16;

  private @Nullable Object[] items = new @Nullable Object[FIRST_CAPACITY];
  private long[] since = new long[FIRST_CAPACITY];
  private int head;
  private int size;

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  /**
   * Adds an item, behind those that have been here as long or longer: at the end, but for one that
   * is put back with the time of an earlier stay.
   *
   * @param nanos when it was given back, in the monotonic time of a {@link TimeSource}
   */
  public void add(T item, long nanos) {
    if (size == items.length) {
      grow();
    }
    int place = size++;
    while (place > 0 && since[slot(place - 1)] - nanos > 0) {
      move(place - 1, place);
      place--;
    }
    items[slot(place)] = item;
    since[slot(place)] = nanos;
  }

  /** When the head was given back; only when not empty. */
  public long headNanos() {
    requireHead();
    return since[head];
  }

  /** The item that has been here longest; only when not empty. */
  public T head() {
    requireHead();
    return item(0);
  }

  /** Takes the head; only when not empty. */
  public T poll() {
    T first = head();
    items[head] = null;
    head = slot(1);
    size--;
    return first;
  }

  /** Takes the first item that {@code wanted} accepts, or null; moves those before. */
  public @Nullable T poll(Predicate<? super T> wanted) {
    for (int place = 0; place < size; place++) {
      T item = item(place);
      if (wanted.test(item)) {
        for (int before = place; before > 0; before--) {
          move(before - 1, before);
        }
        poll();
        return item;
      }
    }
    return null;
  }

  /** Whether {@code wanted} accepts an item. */
  public boolean anyMatch(Predicate<? super T> wanted) {
    for (int place = 0; place < size; place++) {
      if (wanted.test(item(place))) {
        return true;
      }
    }
    return false;
  }

  /** Takes an item wherever it is; false when it is not here. Looks through the items in order. */
  public boolean remove(T item) {
    return poll(item::equals) != null;
  }

  /** Hands over each item and when it was given back, the longest given back first. */
  public void forEach(ObjLongConsumer<? super T> visitor) {
    for (int place = 0; place < size; place++) {
      visitor.accept(item(place), since[slot(place)]);
    }
  }

  private void move(int from, int to) {
    items[slot(to)] = items[slot(from)];
    since[slot(to)] = since[slot(from)];
  }

  private int slot(int place) {
    return (head + place) & (items.length - 1);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // places below size hold what was added
  private T item(int place) {
    return (T) items[slot(place)];
  }

  private void requireHead() {
    if (size == 0) {
      throw new IllegalStateException("nothing cools");
    }
  }

  private void grow() {
    int old = items.length;
    @Nullable Object[] moreItems = Arrays.copyOf(items, old * 2);
    long[] moreSince = Arrays.copyOf(since, old * 2);
    for (int place = 0; place < old; place++) {
      moreItems[place] = items[slot(place)];
      moreSince[place] = since[slot(place)];
    }
    items = moreItems;
    since = moreSince;
    head = 0;
  }
}
