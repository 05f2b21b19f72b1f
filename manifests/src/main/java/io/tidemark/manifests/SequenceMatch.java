package io.tidemark.manifests;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which items of a sequence stay, which change in place, and where new ones come in. */
final class SequenceMatch {
  private static final int LENGTH_MAX = Integer.MAX_VALUE;

  private enum Fate {
    KEPT,
    CHANGED,
    REMOVED
  }

  private final Fate[] fates;
  private final List<Optional<MarkedNode>> changed = new ArrayList<>();
  private final List<List<MarkedNode>> added = new ArrayList<>();

  private SequenceMatch(int size) {
    fates = new Fate[size];
    Arrays.fill(fates, Fate.REMOVED);
    for (int i = 0; i <= size; i++) {
      changed.add(Optional.empty());
      added.add(new ArrayList<>());
    }
  }

  /** Keeps the longest run of items that stand in both in the same order. */
  static SequenceMatch of(List<MarkedNode> had, List<MarkedNode> wanted) {
    SequenceMatch match = new SequenceMatch(had.size());
    int[] partner = partners(had, wanted);
    int from = 0;
    int next = 0;
    for (int i = 0; i <= had.size(); i++) {
      boolean kept = i < had.size() && partner[i] >= 0;
      if (kept || i == had.size()) {
        int until = kept ? partner[i] : wanted.size();
        match.fill(had, wanted, from, i, next, until);
        if (kept) {
          match.fates[i] = Fate.KEPT;
        }
        from = i + 1;
        next = until + 1;
      }
    }
    return match;
  }

  boolean removed(int index) {
    return fates[index] == Fate.REMOVED;
  }

  /** What takes the place of the item; empty when it stays or goes. */
  Optional<MarkedNode> changed(int index) {
    return changed.get(index);
  }

  /** New items in front of item {@code index}. */
  List<MarkedNode> added(int index) {
    return added.get(index);
  }

  /** Between two kept items: values of one form take each other's place. */
  private void fill(
      List<MarkedNode> had, List<MarkedNode> wanted, int from, int to, int next, int until) {
    int i = from;
    int j = next;
    while (i < to && j < until && alike(had.get(i), wanted.get(j))) {
      fates[i] = Fate.CHANGED;
      changed.set(i, Optional.of(wanted.get(j)));
      i++;
      j++;
    }
    added.get(to).addAll(wanted.subList(j, until));
  }

  private static boolean alike(MarkedNode one, MarkedNode other) {
    boolean scalars = one instanceof MarkedScalar && other instanceof MarkedScalar;
    boolean mappings = one instanceof MarkedMapping && other instanceof MarkedMapping;
    return scalars || (mappings && !one.isEmpty() && !other.isEmpty());
  }

  /** For each item its index in {@code wanted}, ascending; -1 for none. */
  private static int[] partners(List<MarkedNode> had, List<MarkedNode> wanted) {
    Map<String, Deque<Integer>> places = new HashMap<>();
    for (int j = 0; j < wanted.size(); j++) {
      places.computeIfAbsent(key(wanted.get(j)), k -> new ArrayDeque<>()).add(j);
    }
    int[] candidate = new int[had.size()];
    for (int i = 0; i < had.size(); i++) {
      Deque<Integer> free = places.get(key(had.get(i)));
      candidate[i] = free == null || free.isEmpty() ? -1 : free.remove();
    }
    return ascending(candidate);
  }

  /** The longest ascending run of what is not -1; all others become -1. */
  private static int[] ascending(int[] values) {
    int[] tail = new int[values.length];
    int[] before = new int[values.length];
    int length = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0) {
        continue;
      }
      int low = 0;
      int high = length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (values[tail[middle]] < values[i]) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      before[i] = low == 0 ? -1 : tail[low - 1];
      tail[low] = i;
      length = Math.max(length, low + 1);
    }
    int[] kept = new int[values.length];
    Arrays.fill(kept, -1);
    for (int i = length == 0 ? -1 : tail[length - 1]; i >= 0; i = before[i]) {
      kept[i] = values[i];
    }
    return kept;
  }

  private static String key(MarkedNode node) {
    try {
      return MarkedJson.print(node, LENGTH_MAX);
    } catch (MalformedText e) {
      throw new IllegalArgumentException(e.problem(), e);
    }
  }
}
