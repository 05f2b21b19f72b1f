package io.tidemark.ip;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Records which of the positions 0 to {@code capacity - 1} are free. Over a block, position {@code
 * i} stands for {@code block.address(i)}, and an aligned run of positions for an aligned CIDR
 * block.
 *
 * <p>Mutable and not thread-safe: it has one owner. Every method that takes a position refuses one
 * outside the capacity with {@link IndexOutOfBoundsException}.
 */
public final class AddressBitmap {
  /** Most positions that a bitmap may have; it takes an eighth of a byte for each. */
  public static final int CAPACITY_MAX = 1 << 24;

  private static final int NONE = -1;

  /** At {@code k}: the bits of a word where an aligned run of 2^k bits may start. */
  private static final long[] RUN_STARTS = {
    -1L,
    0x5555_5555_5555_5555L,
    0x1111_1111_1111_1111L,
    0x0101_0101_0101_0101L,
    0x0001_0001_0001_0001L,
    0x0000_0001_0000_0001L,
    1L
  };

  private final int capacity;

  /**
   * Level 0 has one bit per position, set when it is free. A bit of level {@code n + 1} is set when
   * the word of that index in level {@code n} has a bit set. The top level is one word.
   */
  private final long[][] levels;

  private int freeCount;

  /** The exponent up to 6 whose free runs were counted last, or {@link #NONE}. */
  private int countedExponent = NONE;

  /** How many runs of {@link #countedExponent} are free; each change adjusts it. */
  private int countedRuns;

  private AddressBitmap(int capacity, int freeCount, long[][] levels) {
    this.capacity = capacity;
    this.freeCount = freeCount;
    this.levels = levels;
  }

  /**
   * A bitmap of {@code capacity} positions, all free.
   *
   * @throws IllegalArgumentException when the capacity is below 1 or above {@link #CAPACITY_MAX}
   */
  public static AddressBitmap ofCapacity(int capacity) {
    if (capacity < 1 || capacity > CAPACITY_MAX) {
      throw new IllegalArgumentException(
          "capacity is " + capacity + "; expected 1 to " + CAPACITY_MAX);
    }
    int depth = 2;
    while (capacity > 1L << (6 * depth)) {
      depth++;
    }
    long[][] levels = new long[depth][];
    int bits = capacity;
    for (int level = 0; level < depth; level++) {
      levels[level] = allSet(bits);
      bits = levels[level].length;
    }
    return new AddressBitmap(capacity, capacity, levels);
  }

  /**
   * A bitmap with one position per address of {@code block}, all free.
   *
   * @throws IllegalArgumentException when the block has more than {@link #CAPACITY_MAX} addresses
   */
  public static AddressBitmap over(Cidr block) {
    if (block.sizeSaturated() > CAPACITY_MAX) {
      throw new IllegalArgumentException(
          block + " is too big for a bitmap; the limit is " + CAPACITY_MAX + " addresses");
    }
    return ofCapacity((int) block.sizeSaturated());
  }

  /** An independent bitmap in the same state. */
  public AddressBitmap copy() {
    long[][] copied = new long[levels.length][];
    for (int level = 0; level < levels.length; level++) {
      copied[level] = levels[level].clone();
    }
    AddressBitmap copy = new AddressBitmap(capacity, freeCount, copied);
    copy.countedExponent = countedExponent;
    copy.countedRuns = countedRuns;
    return copy;
  }

  public int capacity() {
    return capacity;
  }

  public int freeCount() {
    return freeCount;
  }

  public boolean isFree(int position) {
    requireRange(position, 1);
    return (levels[0][position >>> 6] & 1L << position) != 0;
  }

  /** Takes a position; false, and nothing changes, when it is taken already. */
  public boolean allocate(int position) {
    return allocateRange(position, 1);
  }

  /** Gives a position back; false, and nothing changes, when it is free already. */
  public boolean free(int position) {
    return freeRange(position, 1);
  }

  /** Takes {@code count} positions; false, and nothing changes, unless all of them are free. */
  public boolean allocateRange(int from, int count) {
    if (countFree(from, count) != count) {
      return false;
    }
    for (int at = from; at < from + count; at = (at | 63) + 1) {
      take(at >>> 6, mask(at, from + count));
    }
    freeCount -= count;
    return true;
  }

  /** Gives {@code count} positions back; false, and nothing changes, unless all are taken. */
  public boolean freeRange(int from, int count) {
    if (countFree(from, count) != 0) {
      return false;
    }
    for (int at = from; at < from + count; at = (at | 63) + 1) {
      giveBack(at >>> 6, mask(at, from + count));
    }
    freeCount += count;
    return true;
  }

  /**
   * Takes those of {@code count} positions that are free.
   *
   * @return how many were free
   */
  public int takeFree(int from, int count) {
    requireRange(from, count);
    int before = freeCount;
    for (int at = from; at < from + count; at = (at | 63) + 1) {
      long bits = levels[0][at >>> 6] & mask(at, from + count);
      if (bits != 0) {
        take(at >>> 6, bits);
        freeCount -= Long.bitCount(bits);
      }
    }
    return before - freeCount;
  }

  /**
   * Gives back those of {@code count} positions that are taken.
   *
   * @return how many were taken
   */
  public int giveBackTaken(int from, int count) {
    requireRange(from, count);
    int before = freeCount;
    for (int at = from; at < from + count; at = (at | 63) + 1) {
      long bits = ~levels[0][at >>> 6] & mask(at, from + count);
      if (bits != 0) {
        giveBack(at >>> 6, bits);
        freeCount += Long.bitCount(bits);
      }
    }
    return freeCount - before;
  }

  /** How many of the {@code count} positions from {@code from} are free. */
  public int countFree(int from, int count) {
    requireRange(from, count);
    int free = 0;
    for (int at = from; at < from + count; at = (at | 63) + 1) {
      free += Long.bitCount(levels[0][at >>> 6] & mask(at, from + count));
    }
    return free;
  }

  /** The lowest free position at or after {@code from}, which may be the capacity itself. */
  public OptionalInt nextFree(int from) {
    requireRange(from, 0);
    return optional(nextSet(0, from));
  }

  /** The first free position at or after {@code cursor}, going on from 0 after the last one. */
  public OptionalInt nextFreeCyclic(int cursor) {
    OptionalInt ahead = nextFree(cursor);
    return ahead.isPresent() ? ahead : nextFree(0);
  }

  /**
   * Takes the first free position at or after {@code cursor}, which may be the capacity itself,
   * going on from 0 after the last one. Makes no object.
   *
   * @return the position, or -1 when none is free
   */
  public int takeNext(int cursor) {
    requireRange(cursor, 0);
    if (freeCount == 0) {
      return NONE;
    }
    int ahead = nextSet(0, cursor);
    int position = ahead == NONE ? nextSet(0, 0) : ahead;
    take(position >>> 6, 1L << position);
    freeCount--;
    return position;
  }

  /**
   * The lowest taken position at or after {@code from}, which may be the capacity itself; -1 when
   * there is none. Visits each word once: for listing what is taken.
   */
  public int nextTaken(int from) {
    requireRange(from, 0);
    for (int at = from; at < capacity; at = (at | 63) + 1) {
      long taken = ~levels[0][at >>> 6] & mask(at, capacity);
      if (taken != 0) {
        return (at & ~63) + Long.numberOfTrailingZeros(taken);
      }
    }
    return NONE;
  }

  /**
   * The start of the lowest free aligned run of 2<sup>{@code exponent}</sup> positions that starts
   * at or after {@code from}; empty when there is none, although enough single positions may be
   * free. Visits each word once and skips full ones.
   */
  public OptionalInt nextFreeBlock(int exponent, int from) {
    requireExponent(exponent);
    requireRange(from, 0);
    return optional(exponent <= 6 ? nextRun(exponent, from) : nextWordRun(exponent - 6, from));
  }

  /**
   * How many aligned runs of 2<sup>{@code exponent}</sup> positions are free. Visits the words with
   * free positions when the exponent is above 6 or another than the last time; otherwise it answers
   * with the count that each change keeps.
   */
  public int countFreeBlocks(int exponent) {
    requireExponent(exponent);
    if (exponent > 6) {
      int count = 0;
      int step = 1 << exponent;
      int words = exponent - 6;
      for (int at = nextWordRun(words, 0); at != NONE; at = nextWordRun(words, at + step)) {
        count++;
      }
      return count;
    }
    if (exponent != countedExponent) {
      int count = 0;
      for (int word = nextSet(1, 0); word != NONE; word = nextSet(1, word + 1)) {
        count += Long.bitCount(runStarts(levels[0][word], exponent));
      }
      countedExponent = exponent;
      countedRuns = count;
    }
    return countedRuns;
  }

  @Override
  public String toString() {
    return freeCount + " of " + capacity + " free";
  }

  private int nextRun(int exponent, int from) {
    int word = nextSet(1, from >>> 6);
    while (word != NONE) {
      long starts = runStarts(levels[0][word], exponent);
      if (word == from >>> 6) {
        starts &= -1L << from;
      }
      if (starts != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(starts);
      }
      word = nextSet(1, word + 1);
    }
    return NONE;
  }

  /** As {@link #nextRun}, for runs of 2^{@code exponent} whole words. */
  private int nextWordRun(int exponent, int from) {
    long[] words = levels[0];
    int run = 1 << exponent;
    int start = (((from + 63) >>> 6) + run - 1) & -run;
    for (int first = start; first + run <= words.length; first += run) {
      int word = first;
      while (word < first + run && words[word] == -1L) {
        word++;
      }
      if (word == first + run) {
        return first << 6;
      }
    }
    return NONE;
  }

  /** The lowest set bit of a level at or after {@code from}. */
  private int nextSet(int level, int from) {
    long[] words = levels[level];
    int word = from >>> 6;
    if (word >= words.length) {
      return NONE;
    }
    long rest = words[word] & -1L << from;
    if (rest != 0) {
      return (word << 6) + Long.numberOfTrailingZeros(rest);
    }
    if (level + 1 == levels.length) {
      return NONE;
    }
    int next = nextSet(level + 1, word + 1);
    return next == NONE ? NONE : (next << 6) + Long.numberOfTrailingZeros(words[next]);
  }

  private void take(int word, long mask) {
    adjustCount(levels[0][word], levels[0][word] & ~mask);
    int index = word;
    long bits = mask;
    for (long[] words : levels) {
      words[index] &= ~bits;
      if (words[index] != 0) {
        return;
      }
      bits = 1L << index;
      index >>>= 6;
    }
  }

  private void giveBack(int word, long mask) {
    adjustCount(levels[0][word], levels[0][word] | mask);
    int index = word;
    long bits = mask;
    for (long[] words : levels) {
      boolean wasFull = words[index] == 0;
      words[index] |= bits;
      if (!wasFull) {
        return;
      }
      bits = 1L << index;
      index >>>= 6;
    }
  }

  /** Brings the kept count up to date when a word of level 0 changes. */
  private void adjustCount(long before, long after) {
    if (countedExponent != NONE) {
      countedRuns +=
          Long.bitCount(runStarts(after, countedExponent))
              - Long.bitCount(runStarts(before, countedExponent));
    }
  }

  /** The bits of the word of {@code at} from there up to and without position {@code end}. */
  private static long mask(int at, int end) {
    int inWord = Math.min(64 - (at & 63), end - at);
    return -1L >>> (64 - inWord) << at;
  }

  /** Marks where an aligned run of 2^{@code exponent} set bits starts. */
  private static long runStarts(long word, int exponent) {
    long starts = word;
    for (int i = 0; i < exponent; i++) {
      starts &= starts >>> (1 << i);
    }
    return starts & RUN_STARTS[exponent];
  }

  private static long[] allSet(int bits) {
    long[] words = new long[(bits + 63) >>> 6];
    Arrays.fill(words, -1L);
    words[words.length - 1] = mask(0, bits - 64 * (words.length - 1));
    return words;
  }

  private static OptionalInt optional(int position) {
    return position == NONE ? OptionalInt.empty() : OptionalInt.of(position);
  }

  private void requireRange(int from, int count) {
    if (from < 0 || count < 0 || from > capacity - count) {
      throw new IndexOutOfBoundsException(
          count + " positions from " + from + " are not within a capacity of " + capacity);
    }
  }

  private static void requireExponent(int exponent) {
    if (exponent < 0 || exponent > 30) {
      throw new IllegalArgumentException("exponent is " + exponent + "; expected 0 to 30");
    }
  }
}
