package io.tidemark.ip;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records which of the positions 0 to {@code capacity - 1} are free, for more positions than an
 * {@link AddressBitmap} may have. It keeps the runs of taken positions in order, so its memory
 * grows with their number and not with the capacity, and each method takes time in the logarithm of
 * that number; one that changes a range, besides, in the number of runs within it.
 *
 * <p>Mutable and not thread-safe: it has one owner. Every method that takes a position refuses one
 * outside the capacity with {@link IndexOutOfBoundsException}.
 */
public final class SparseBitmap {
  /** Most positions that a sparse bitmap may have. */
  public static final long CAPACITY_MAX = 1L << 62;

  private static final long NONE = -1;

  private final long capacity;

  /** The first position of each run of taken positions, and the one behind its last. */
  private final TreeMap<Long, Long> taken = new TreeMap<>();

  private long freeCount;

  private SparseBitmap(long capacity) {
    this.capacity = capacity;
    this.freeCount = capacity;
  }

  /**
   * A bitmap of {@code capacity} positions, all free.
   *
   * @throws IllegalArgumentException when the capacity is below 1 or above {@link #CAPACITY_MAX}
   */
  public static SparseBitmap ofCapacity(long capacity) {
    if (capacity < 1 || capacity > CAPACITY_MAX) {
      throw new IllegalArgumentException(
          "capacity is " + capacity + "; expected 1 to " + CAPACITY_MAX);
    }
    return new SparseBitmap(capacity);
  }

  public long capacity() {
    return capacity;
  }

  public long freeCount() {
    return freeCount;
  }

  /** How many runs of taken positions there are: what the memory grows with. */
  int runs() {
    return taken.size();
  }

  public boolean isFree(long position) {
    requireRange(position, 1);
    return runOver(position) == null;
  }

  /** Takes a position; false, and nothing changes, when it is taken already. */
  public boolean allocate(long position) {
    return takeFree(position, 1) == 1;
  }

  /** Gives a position back; false, and nothing changes, when it is free already. */
  public boolean free(long position) {
    return giveBackTaken(position, 1) == 1;
  }

  /**
   * Takes those of {@code count} positions that are free.
   *
   * @return how many were free
   */
  public long takeFree(long from, long count) {
    requireRange(from, count);
    if (count == 0) {
      return 0;
    }
    long start = from;
    long end = from + count;
    long before = 0;
    // A run that ends right before the range grows into it.
    Map.@Nullable Entry<Long, Long> run = taken.floorEntry(from);
    if (run == null || run.getValue() < from) {
      run = taken.higherEntry(from);
    }
    while (run != null && run.getKey() <= from + count) {
      before += overlap(run, from, from + count);
      start = Math.min(start, run.getKey());
      end = Math.max(end, run.getValue());
      taken.remove(run.getKey());
      run = taken.higherEntry(run.getKey());
    }
    taken.put(start, end);
    freeCount -= count - before;
    return count - before;
  }

  /**
   * Gives back those of {@code count} positions that are taken.
   *
   * @return how many were taken
   */
  public long giveBackTaken(long from, long count) {
    requireRange(from, count);
    long end = from + count;
    long before = 0;
    Map.@Nullable Entry<Long, Long> run = count == 0 ? null : taken.lowerEntry(end);
    while (run != null && run.getValue() > from) {
      before += overlap(run, from, end);
      taken.remove(run.getKey());
      if (run.getKey() < from) {
        taken.put(run.getKey(), from);
      }
      if (run.getValue() > end) {
        taken.put(end, run.getValue());
      }
      run = run.getKey() < from ? null : taken.lowerEntry(run.getKey());
    }
    freeCount += before;
    return before;
  }

  /** How many of the {@code count} positions from {@code from} are free. */
  public long countFree(long from, long count) {
    requireRange(from, count);
    long end = from + count;
    long free = count;
    Map.@Nullable Entry<Long, Long> run = count == 0 ? null : taken.lowerEntry(end);
    while (run != null && run.getValue() > from) {
      free -= overlap(run, from, end);
      run = taken.lowerEntry(run.getKey());
    }
    return free;
  }

  /** The lowest free position from {@code from}, or the capacity, on; -1 if there is none. */
  public long nextFree(long from) {
    requireRange(from, 0);
    Map.@Nullable Entry<Long, Long> run = runOver(from);
    long position = run == null ? from : run.getValue();
    return position < capacity ? position : NONE;
  }

  /**
   * Takes the first free position at or after {@code cursor}, which may be the capacity itself,
   * going on from 0 after the last one.
   *
   * @return the position, or -1 when none is free
   */
  public long takeNext(long cursor) {
    requireRange(cursor, 0);
    if (freeCount == 0) {
      return NONE;
    }
    long ahead = nextFree(cursor);
    long position = ahead == NONE ? nextFree(0) : ahead;
    takeFree(position, 1);
    return position;
  }

  @Override
  public String toString() {
    return freeCount + " of " + capacity + " free";
  }

  private Map.@Nullable Entry<Long, Long> runOver(long position) {
    Map.@Nullable Entry<Long, Long> run = taken.floorEntry(position);
    return run != null && run.getValue() > position ? run : null;
  }

  private static long overlap(Map.Entry<Long, Long> run, long from, long end) {
    return Math.max(0, Math.min(run.getValue(), end) - Math.max(run.getKey(), from));
  }

  private void requireRange(long from, long count) {
    if (from < 0 || count < 0 || from > capacity - count) {
      throw new IndexOutOfBoundsException(
          count + " positions from " + from + " are not within a capacity of " + capacity);
    }
  }
}
