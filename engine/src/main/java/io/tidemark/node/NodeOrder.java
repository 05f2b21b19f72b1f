package io.tidemark.node;

import java.util.Comparator;

/**
 * Order of attendance (node-manager 5.5, F-1): largest deficit first, balanced nodes next, then
 * surplus, the larger surplus first; ties by name (D-18).
 */
final class NodeOrder {
  /** By deficit, else by the negated surplus where it is given back: 5, 3, 0, -9, -2. */
  static final Comparator<Integer> BY_NEEDED_ADDRESSES =
      (left, right) -> {
        boolean surplusOnBothSides = left < 0 && right < 0;
        return surplusOnBothSides ? Integer.compare(left, right) : Integer.compare(right, left);
      };

  private NodeOrder() {}
}
