package io.tidemark.time;

import java.util.Arrays;

/**
 * When items were released last, by position. Takes memory from the first release on. Mutable and
 * not thread-safe: it has one owner.
 */
public final class ReleaseTimes {
  /** The time of an item of which no release is known. */
  public static final long NEVER = Long.MIN_VALUE;

  private static final long[] NONE = {};

  private final int capacity;
  private long[] nanos = NONE;

  /** No release of so many items is known. */
  public ReleaseTimes(int capacity) {
    this.capacity = capacity;
  }

  /** When an item was released, in monotonic time ({@link TimeSource}), or {@link #NEVER}. */
  public long at(int position) {
    return nanos.length == 0 ? NEVER : nanos[position];
  }

  /** An item was released then. */
  public void put(int position, long releasedNanos) {
    if (nanos.length == 0) {
      nanos = new long[capacity];
      Arrays.fill(nanos, NEVER);
    }
    nanos[position] = releasedNanos;
  }

  /** How long before {@code now} a release was; -1 for {@link #NEVER}. */
  public static long age(long releasedNanos, long now) {
    return releasedNanos == NEVER ? -1 : Math.max(0, now - releasedNanos);
  }
}
