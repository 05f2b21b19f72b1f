package io.tidemark.ip;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fullest of several numbered ranges that still has room, so that one range fills up
 * before the next is touched and others become empty. Ranges with equally much room are found in
 * the order of their numbers.
 *
 * <p>Each call takes constant time, whatever the number of ranges. A bucket of ranges per count of
 * free addresses: one bit per range in each bucket in use, and four bytes per address of the widest
 * range.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
public final class RoomOrder {
  private final int[] free;

  /** By the count of free addresses: the ranges that have as many, as free positions. */
  private final @Nullable AddressBitmap[] buckets;

  /** The counts that have a bucket, as free positions. */
  private final AddressBitmap counts;

  /** An empty bucket to be used next: a range that moves on leaves one behind and needs one. */
  private @Nullable AddressBitmap spare;

  /**
   * An order of {@code ranges} ranges, none of which has room yet.
   *
   * @param widest the most free addresses that a range may have, 1 to {@link
   *     AddressBitmap#CAPACITY_MAX} - 1
   * @throws IllegalArgumentException when {@code ranges} or {@code widest} is below 1 or too large
   */
  public RoomOrder(int ranges, int widest) {
    if (widest < 1) {
      throw new IllegalArgumentException("widest is " + widest + "; expected 1 or more");
    }
    counts = allTaken(widest + 1);
    spare = allTaken(ranges);
    free = new int[ranges];
    buckets = new @Nullable AddressBitmap[widest + 1];
  }

  /**
   * Notes how many free addresses a range has; 0 takes it out of the order.
   *
   * @throws IndexOutOfBoundsException when there is no such range, or more are free than the widest
   *     range may have
   */
  public void setFree(int range, int count) {
    int before = free[range];
    if (count < 0 || count >= buckets.length) {
      throw new IndexOutOfBoundsException(
          count + " free addresses; expected 0 to " + (buckets.length - 1));
    }
    if (before == count) {
      return;
    }
    leave(range, before);
    enter(range, count);
    free[range] = count;
  }

  /** The number of free addresses last noted for a range. */
  public int free(int range) {
    return free[range];
  }

  /** The fullest range that has room, the first of several; -1 when none has. */
  public int fullest() {
    int count = counts.nextFree(0).orElse(-1);
    return count < 0 ? -1 : bucket(count).nextFree(0).orElseThrow();
  }

  @Override
  public String toString() {
    return "free " + Arrays.toString(free);
  }

  private void leave(int range, int count) {
    if (count == 0) {
      return;
    }
    AddressBitmap bucket = bucket(count);
    bucket.allocate(range);
    if (bucket.freeCount() == 0) {
      buckets[count] = null;
      counts.allocate(count);
      spare = bucket;
    }
  }

  private void enter(int range, int count) {
    if (count == 0) {
      return;
    }
    AddressBitmap bucket = buckets[count];
    if (bucket == null) {
      bucket = spare == null ? allTaken(free.length) : spare;
      spare = null;
      buckets[count] = bucket;
      counts.free(count);
    }
    bucket.free(range);
  }

  @SuppressWarnings("NullAway") // counts in use have a bucket
  private AddressBitmap bucket(int count) {
    return buckets[count];
  }

  private static AddressBitmap allTaken(int capacity) {
    AddressBitmap bitmap = AddressBitmap.ofCapacity(capacity);
    bitmap.allocateRange(0, capacity);
    return bitmap;
  }
}
