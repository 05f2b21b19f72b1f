package io.tidemark.ip;

import java.util.Arrays;

/**
 * Sets of IPv6 addresses as long arrays: address {@code i} is the upper word at {@code 2i} and the
 * lower word at {@code 2i + 1}; ascending by unsigned value, no address twice. Counts and indices
 * count addresses. Arrays are never changed after they were returned; an operation that changes
 * nothing returns its first argument.
 */
final class Ipv6Sorted {
  static final long[] EMPTY = {};

  private Ipv6Sorted() {}

  static int count(long[] set) {
    return set.length >> 1;
  }

  /** The set of the first {@code count} addresses of {@code values}, which may get reordered. */
  static long[] ofUnsorted(long[] values, int count) {
    if (count == 0) {
      return EMPTY;
    }
    long[] sorted = isAscending(values, count) ? values : mergeSorted(values, count);
    int kept = 1;
    for (int i = 1; i < count; i++) {
      if (order(sorted, i, sorted, kept - 1) != 0) {
        put(sorted, kept++, sorted, i);
      }
    }
    return trimmed(sorted, kept);
  }

  /** Where the address is, or {@code -(where it belongs) - 1}, as {@link Arrays#binarySearch}. */
  static int find(long[] set, long high, long low) {
    int from = 0;
    int to = count(set) - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      int order = Words.compare(set[2 * middle], set[2 * middle + 1], high, low);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        from = middle + 1;
      } else {
        to = middle - 1;
      }
    }
    return -from - 1;
  }

  /** How many addresses are below the given one. */
  static int countBelow(long[] set, long high, long low) {
    int found = find(set, high, low);
    return found >= 0 ? found : -found - 1;
  }

  /** How many addresses are at most the given one. */
  static int countUpTo(long[] set, long high, long low) {
    int found = find(set, high, low);
    return found >= 0 ? found + 1 : -found - 1;
  }

  static long[] union(long[] a, long[] b) {
    if (b.length == 0 || a == b) {
      return a;
    }
    if (a.length == 0) {
      return b;
    }
    long[] out = new long[a.length + b.length];
    int merged = merge(a, 0, count(a), b, 0, count(b), out, 0, true);
    return merged == count(a) ? a : trimmed(out, merged);
  }

  static long[] difference(long[] a, long[] b) {
    if (a.length == 0 || b.length == 0) {
      return a;
    }
    long[] out = new long[a.length];
    int kept = 0;
    int j = 0;
    for (int i = 0; i < count(a); i++) {
      while (j < count(b) && order(b, j, a, i) < 0) {
        j++;
      }
      if (j == count(b) || order(b, j, a, i) != 0) {
        put(out, kept++, a, i);
      }
    }
    return kept == count(a) ? a : trimmed(out, kept);
  }

  static long[] intersection(long[] a, long[] b) {
    long[] out = new long[Math.min(a.length, b.length)];
    int kept = 0;
    int j = 0;
    for (int i = 0; i < count(a) && j < count(b); i++) {
      while (j < count(b) && order(b, j, a, i) < 0) {
        j++;
      }
      if (j < count(b) && order(b, j, a, i) == 0) {
        put(out, kept++, a, i);
      }
    }
    return kept == count(a) ? a : trimmed(out, kept);
  }

  static boolean intersects(long[] a, long[] b) {
    int i = 0;
    int j = 0;
    while (i < count(a) && j < count(b)) {
      int order = order(a, i, b, j);
      if (order == 0) {
        return true;
      }
      i += order < 0 ? 1 : 0;
      j += order > 0 ? 1 : 0;
    }
    return false;
  }

  static boolean containsAll(long[] a, long[] b) {
    int i = 0;
    for (int j = 0; j < count(b); j++) {
      while (i < count(a) && order(a, i, b, j) < 0) {
        i++;
      }
      if (i == count(a) || order(a, i, b, j) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The addresses from index {@code from} up to and without index {@code to}. */
  static long[] slice(long[] set, int from, int to) {
    if (from == to) {
      return EMPTY;
    }
    return from == 0 && to == count(set) ? set : Arrays.copyOfRange(set, 2 * from, 2 * to);
  }

  /**
   * Merges two ascending runs into {@code out} from address {@code at}; an address in both is
   * written once when {@code once}. Answers where the result ends.
   */
  private static int merge(
      long[] a, int i, int endA, long[] b, int j, int endB, long[] out, int at, boolean once) {
    int end = at;
    while (i < endA && j < endB) {
      int order = order(a, i, b, j);
      if (order <= 0) {
        put(out, end++, a, i++);
        j += order == 0 && once ? 1 : 0;
      } else {
        put(out, end++, b, j++);
      }
    }
    int restA = endA - i;
    System.arraycopy(a, 2 * i, out, 2 * end, 2 * restA);
    end += restA;
    int restB = endB - j;
    System.arraycopy(b, 2 * j, out, 2 * end, 2 * restB);
    return end + restB;
  }

  private static long[] mergeSorted(long[] values, int count) {
    long[] from = values;
    long[] to = new long[2 * count];
    for (int width = 1; width < count; width *= 2) {
      for (int start = 0; start < count; start += 2 * width) {
        int middle = Math.min(start + width, count);
        int end = Math.min(start + 2 * width, count);
        merge(from, start, middle, from, middle, end, to, start, false);
      }
      long[] swapped = from;
      from = to;
      to = swapped;
    }
    return from;
  }

  private static long[] trimmed(long[] values, int count) {
    if (count == 0) {
      return EMPTY;
    }
    return count == count(values) ? values : Arrays.copyOf(values, 2 * count);
  }

  private static boolean isAscending(long[] values, int count) {
    for (int i = 1; i < count; i++) {
      if (order(values, i - 1, values, i) > 0) {
        return false;
      }
    }
    return true;
  }

  private static int order(long[] a, int i, long[] b, int j) {
    return Words.compare(a[2 * i], a[2 * i + 1], b[2 * j], b[2 * j + 1]);
  }

  private static void put(long[] out, int at, long[] from, int index) {
    out[2 * at] = from[2 * index];
    out[2 * at + 1] = from[2 * index + 1];
  }
}
