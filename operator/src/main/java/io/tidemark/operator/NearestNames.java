package io.tidemark.operator;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Names that a mistyped one may have meant. Pure. */
final class NearestNames {
  private static final int MOST = 3;

  private NearestNames() {}

  /** The nearest of {@code known}, at most three, nearest first. */
  static List<String> of(String given, Collection<String> known) {
    return known.stream()
        .sorted(
            Comparator.comparingInt((String name) -> distance(given, name))
                .thenComparing(Comparator.naturalOrder()))
        .limit(MOST)
        .toList();
  }

  /** Insertions, deletions and replacements that turn one into the other. */
  static int distance(String left, String right) {
    int[] row = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[right.length()];
  }
}
