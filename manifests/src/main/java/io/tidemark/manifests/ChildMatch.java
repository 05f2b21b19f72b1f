package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which parts of a value stay, which change in place or go, and where new ones come in. */
final class ChildMatch {
  private final List<Optional<MarkedNode>> next = new ArrayList<>();
  private final List<List<Child>> added = new ArrayList<>();

  private ChildMatch(int size) {
    for (int i = 0; i <= size; i++) {
      next.add(Optional.empty());
      added.add(new ArrayList<>());
    }
  }

  /**
   * Entries of a mapping by key; of a sequence the longest run of items in the same order stays.
   */
  static ChildMatch of(Compound had, List<Child> wanted) {
    ChildMatch match = new ChildMatch(had.children().size());
    if (had.isMapping()) {
      match.entries(had, wanted);
    } else {
      match.items(had.children(), wanted);
    }
    return match;
  }

  /** What stands in the place of the part: itself, or another value; empty when it goes. */
  Optional<MarkedNode> next(int index) {
    return next.get(index);
  }

  /** New parts in front of part {@code index}. */
  List<Child> added(int index) {
    return added.get(index);
  }

  /** Index of the first part that stays or changes; the number of parts when all go. */
  int firstKept() {
    int index = 0;
    while (index < next.size() - 1 && next.get(index).isEmpty()) {
      index++;
    }
    return index;
  }

  /** Index of the last part that stays or changes; -1 when all go. */
  int lastKept() {
    int index = next.size() - 1;
    while (index >= 0 && next.get(index).isEmpty()) {
      index--;
    }
    return index;
  }

  private void entries(Compound had, List<Child> wanted) {
    Map<String, Integer> index = new HashMap<>();
    had.children().forEach(each -> index.put(each.name(), index.size()));
    int behind = 0;
    for (Child child : wanted) {
      Integer place = index.get(child.name());
      if (place == null) {
        added.get(behind).add(child);
      } else {
        next.set(place, Optional.of(child.value()));
        behind = Math.max(behind, place + 1);
      }
    }
  }

  private void items(List<Child> had, List<Child> wanted) {
    int[] partner = partners(had, wanted);
    int from = 0;
    int taken = 0;
    for (int i = 0; i <= had.size(); i++) {
      if (i == had.size() || partner[i] >= 0) {
        int until = i == had.size() ? wanted.size() : partner[i];
        while (from < i && taken < until && alike(had.get(from), wanted.get(taken))) {
          next.set(from++, Optional.of(wanted.get(taken++).value()));
        }
        added.get(i).addAll(wanted.subList(taken, until));
        if (i < had.size()) {
          next.set(i, Optional.of(had.get(i).value()));
        }
        from = i + 1;
        taken = until + 1;
      }
    }
  }

  /** Between two items that stay, values of one form take each other's place. */
  private static boolean alike(Child one, Child other) {
    boolean scalars = one.value() instanceof Scalar && other.value() instanceof Scalar;
    return scalars || (isFilledMapping(one.value()) && isFilledMapping(other.value()));
  }

  private static boolean isFilledMapping(MarkedNode node) {
    return node instanceof Compound compound && compound.isMapping() && !compound.isEmpty();
  }

  /** For each item its index in {@code wanted}, ascending; -1 for none. */
  private static int[] partners(List<Child> had, List<Child> wanted) {
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

  private static String key(Child item) {
    return Meaning.exact(item.value());
  }

  /** The longest ascending run of what is not -1; all others become -1. */
  private static int[] ascending(int[] values) {
    int[] tail = new int[values.length];
    int[] before = new int[values.length];
    int length = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] >= 0) {
        int at = 0;
        int high = length;
        while (at < high) {
          int middle = (at + high) >>> 1;
          if (values[tail[middle]] < values[i]) {
            at = middle + 1;
          } else {
            high = middle;
          }
        }
        before[i] = at == 0 ? -1 : tail[at - 1];
        tail[at] = i;
        length = Math.max(length, at + 1);
      }
    }
    int[] kept = new int[values.length];
    Arrays.fill(kept, -1);
    for (int i = length == 0 ? -1 : tail[length - 1]; i >= 0; i = before[i]) {
      kept[i] = values[i];
    }
    return kept;
  }
}
