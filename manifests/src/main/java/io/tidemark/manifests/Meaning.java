package io.tidemark.manifests;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether two values mean the same. Pure. */
final class Meaning {
  /**
   * Depth of the entries of address and interface tables, such as {@code spec.ipam.pool.10.0.0.1}:
   * an entry there says something by being there, even when its value is empty.
   */
  private static final int TABLE_DEPTH = 4;

  private Meaning() {}

  /**
   * By the rules of the wire format (NM-J4, NM-J7): absent, null and empty are the same, the order
   * of keys and of plain items does not count.
   *
   * @param depth number of keys from the object's root to the values
   */
  static boolean same(Optional<MarkedNode> one, Optional<MarkedNode> other, int depth) {
    if (depth == TABLE_DEPTH && one.isPresent() != other.isPresent()) {
      return false;
    }
    boolean nothing = one.map(MarkedNode::isEmpty).orElse(true);
    boolean otherNothing = other.map(MarkedNode::isEmpty).orElse(true);
    if (nothing || otherNothing) {
      return nothing && otherNothing;
    }
    MarkedNode left = one.get().resolved();
    MarkedNode right = other.get().resolved();
    if (left == right) {
      return true;
    }
    if (left instanceof MarkedScalar scalar) {
      return right instanceof MarkedScalar that && scalar.says(that);
    }
    if (left instanceof MarkedMapping mapping) {
      return right instanceof MarkedMapping that && sameEntries(mapping, that, depth);
    }
    return left instanceof MarkedSequence sequence
        && right instanceof MarkedSequence that
        && sameItems(sequence.items(), that.items(), depth);
  }

  private static boolean sameEntries(MarkedMapping one, MarkedMapping other, int depth) {
    Set<String> names = new HashSet<>();
    one.entries().forEach(each -> names.add(each.name()));
    other.entries().forEach(each -> names.add(each.name()));
    return names.stream()
        .allMatch(
            name ->
                same(
                    one.entry(name).map(MarkedEntry::value),
                    other.entry(name).map(MarkedEntry::value),
                    depth + 1));
  }

  private static boolean sameItems(List<MarkedNode> one, List<MarkedNode> other, int depth) {
    if (one.size() != other.size()) {
      return false;
    }
    if (one.stream().allMatch(MarkedScalar.class::isInstance)
        && other.stream().allMatch(MarkedScalar.class::isInstance)) {
      return counts(one).equals(counts(other));
    }
    for (int i = 0; i < one.size(); i++) {
      if (!same(Optional.of(one.get(i)), Optional.of(other.get(i)), depth + TABLE_DEPTH)) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, Integer> counts(List<MarkedNode> items) {
    Map<String, Integer> counts = new HashMap<>();
    for (MarkedNode item : items) {
      MarkedScalar scalar = (MarkedScalar) item;
      counts.merge(scalar.kind() + " " + scalar.text(), 1, Integer::sum);
    }
    return counts;
  }

  /** To the letter: the same keys, items in the same order; only empty values count as alike. */
  static boolean exactly(MarkedNode one, MarkedNode other) {
    MarkedNode left = one.resolved();
    MarkedNode right = other.resolved();
    if (left == right || (left.isEmpty() && right.isEmpty())) {
      return true;
    }
    if (left instanceof MarkedScalar scalar) {
      return right instanceof MarkedScalar that && scalar.says(that);
    }
    if (left instanceof MarkedMapping mapping) {
      return right instanceof MarkedMapping that
          && mapping.entries().size() == that.entries().size()
          && mapping.entries().stream()
              .allMatch(
                  each ->
                      that.entry(each.name())
                          .map(match -> exactly(each.value(), match.value()))
                          .orElse(false));
    }
    if (!(left instanceof MarkedSequence sequence)
        || !(right instanceof MarkedSequence that)
        || sequence.items().size() != that.items().size()) {
      return false;
    }
    for (int i = 0; i < sequence.items().size(); i++) {
      if (!exactly(sequence.items().get(i), that.items().get(i))) {
        return false;
      }
    }
    return true;
  }
}
