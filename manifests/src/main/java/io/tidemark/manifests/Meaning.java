package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a value says, as a text: values that mean the same have the same text. Pure. */
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
    if (one.isEmpty() || other.isEmpty()) {
      boolean nothing = one.or(() -> other).map(MarkedNode::isEmpty).orElse(true);
      return nothing && (depth != TABLE_DEPTH || one.equals(other));
    }
    MarkedNode left = one.get().resolved();
    MarkedNode right = other.get().resolved();
    return left == right || text(left, depth, false).equals(text(right, depth, false));
  }

  /** To the letter: the same keys, items in the same order; only empty values count as alike. */
  static String exact(MarkedNode node) {
    return text(node, 0, true);
  }

  private static String text(MarkedNode node, int depth, boolean exact) {
    MarkedNode value = node.resolved();
    if (value.isEmpty()) {
      return "";
    }
    if (value instanceof Scalar scalar) {
      return scalar.meaning();
    }
    Compound compound = (Compound) value;
    if (compound.isMapping()) {
      Map<String, String> entries = new TreeMap<>();
      compound
          .children()
          .forEach(
              each -> {
                String text = text(each.value(), depth + 1, exact);
                if (exact || depth + 1 == TABLE_DEPTH || !text.isEmpty()) {
                  entries.put(MarkedJson.quoted(each.name()), text);
                }
              });
      return entries.toString();
    }
    List<String> items =
        compound.children().stream()
            .map(each -> text(each.value(), depth + TABLE_DEPTH, exact))
            .toList();
    boolean plain = compound.children().stream().allMatch(each -> each.value() instanceof Scalar);
    return (plain && !exact ? items.stream().sorted().toList() : items).toString();
  }
}
