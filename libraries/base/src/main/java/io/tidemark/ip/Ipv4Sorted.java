package io.tidemark.ip;

import java.util.Arrays;

/**
 * Sets of IPv4 addresses as int arrays: ascending by unsigned value, no element twice. Arrays are
 * never changed after they were returned; an operation that changes nothing returns its first
 * argument.
 */
final class Ipv4Sorted {
  static final int[] EMPTY = {};

  private Ipv4Sorted() {}

  /** The set of the first {@code count} elements of {@code values}, which may be reordered. */
  static int[] ofUnsorted(int[] values, int count) {
    if (count == 0) {
      return EMPTY;
    }
    if (!isAscending(values, count)) {
      flipSigns(values, count);
      Arrays.sort(values, 0, count);
      flipSigns(values, count);
    }
    int kept = 1;
    for (int i = 1; i < count; i++) {
      if (values[i] != values[kept - 1]) {
        values[kept++] = values[i];
      }
    }
    return kept == values.length ? values : Arrays.copyOf(values, kept);
  }

  /** Where {@code value} is, or {@code -(where it belongs) - 1}, as {@link Arrays#binarySearch}. */
  static int find(int[] set, int value) {
    int from = 0;
    int to = set.length - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      int order = Integer.compareUnsigned(set[middle], value);
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

  /** How many elements are below {@code value}. */
  static int countBelow(int[] set, int value) {
    int found = find(set, value);
    return found >= 0 ? found : -found - 1;
  }

  /** How many elements are at most {@code value}. */
  static int countUpTo(int[] set, int value) {
    int found = find(set, value);
    return found >= 0 ? found + 1 : -found - 1;
  }

  static int[] union(int[] a, int[] b) {
    if (b.length == 0 || a == b) {
      return a;
    }
    if (a.length == 0) {
      return b;
    }
    int[] out = new int[a.length + b.length];
    int i = 0;
    int j = 0;
    int count = 0;
    while (i < a.length && j < b.length) {
      int order = Integer.compareUnsigned(a[i], b[j]);
      out[count++] = order <= 0 ? a[i] : b[j];
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    int restA = a.length - i;
    System.arraycopy(a, i, out, count, restA);
    count += restA;
    int restB = b.length - j;
    System.arraycopy(b, j, out, count, restB);
    count += restB;
    return count == a.length ? a : trimmed(out, count);
  }

  static int[] difference(int[] a, int[] b) {
    if (a.length == 0 || b.length == 0) {
      return a;
    }
    int[] out = new int[a.length];
    int count = 0;
    int j = 0;
    for (int value : a) {
      while (j < b.length && Integer.compareUnsigned(b[j], value) < 0) {
        j++;
      }
      if (j == b.length || b[j] != value) {
        out[count++] = value;
      }
    }
    return count == a.length ? a : trimmed(out, count);
  }

  static int[] intersection(int[] a, int[] b) {
    int[] out = new int[Math.min(a.length, b.length)];
    int count = 0;
    int j = 0;
    for (int i = 0; i < a.length && j < b.length; i++) {
      while (j < b.length && Integer.compareUnsigned(b[j], a[i]) < 0) {
        j++;
      }
      if (j < b.length && b[j] == a[i]) {
        out[count++] = a[i];
      }
    }
    return count == a.length ? a : trimmed(out, count);
  }

  static boolean intersects(int[] a, int[] b) {
    int i = 0;
    int j = 0;
    while (i < a.length && j < b.length) {
      int order = Integer.compareUnsigned(a[i], b[j]);
      if (order == 0) {
        return true;
      }
      i += order < 0 ? 1 : 0;
      j += order > 0 ? 1 : 0;
    }
    return false;
  }

  static boolean containsAll(int[] a, int[] b) {
    int i = 0;
    for (int value : b) {
      while (i < a.length && Integer.compareUnsigned(a[i], value) < 0) {
        i++;
      }
      if (i == a.length || a[i] != value) {
        return false;
      }
    }
    return true;
  }

  /** The elements from index {@code from} up to and without index {@code to}. */
  static int[] slice(int[] set, int from, int to) {
    if (from == to) {
      return EMPTY;
    }
    return from == 0 && to == set.length ? set : Arrays.copyOfRange(set, from, to);
  }

  private static int[] trimmed(int[] values, int count) {
    return count == 0 ? EMPTY : count == values.length ? values : Arrays.copyOf(values, count);
  }

  private static boolean isAscending(int[] values, int count) {
    for (int i = 1; i < count; i++) {
      if (Integer.compareUnsigned(values[i - 1], values[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  private static void flipSigns(int[] values, int count) {
    for (int i = 0; i < count; i++) {
      values[i] ^= Integer.MIN_VALUE;
    }
  }
}
