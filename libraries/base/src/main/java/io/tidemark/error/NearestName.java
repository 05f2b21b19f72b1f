package io.tidemark.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Guesses which name was meant. Pure. */
public final class NearestName {
  private NearestName() {}

  /** The candidate with the fewest differing letters, when they are few enough to be a slip. */
  public static Optional<String> of(String name, Collection<String> candidates) {
    String best = "";
    int least = Math.max(2, name.length() / 3) + 1;
    for (String candidate : candidates.stream().sorted().toList()) {
      int distance = distance(name, candidate);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  /** The candidates, the one with the fewest differing letters first. */
  public static List<String> sorted(String name, Collection<String> candidates) {
    return candidates.stream()
        .sorted(
            Comparator.comparingInt((String candidate) -> distance(name, candidate))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** Letters to insert, delete, replace or swap with their neighbour to make one the other. */
  static int distance(String a, String b) {
    int[] before = new int[b.length() + 1];
    int[] previous = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], previous[j]) + 1, previous[j - 1] + change);
        if (i > 1 && j > 1 && swapped(a, i, b, j)) {
          row[j] = Math.min(row[j], before[j - 2] + 1);
        }
      }
      int[] oldest = before;
      before = previous;
      previous = row;
      row = oldest;
    }
    return previous[b.length()];
  }

  private static boolean swapped(String a, int i, String b, int j) {
    return a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
