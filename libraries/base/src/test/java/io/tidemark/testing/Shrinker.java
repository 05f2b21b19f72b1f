package io.tidemark.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing list short: leaves out ever smaller parts while it still fails. Deterministic.
 */
public final class Shrinker {
  private Shrinker() {}

  /**
   * A list that fails, with some items of the given one in their order. Each item of it is needed,
   * unless the tries ran out.
   *
   * @param failing a list that fails
   * @param fails whether a list fails; the same list must always give the same answer
   * @param tries lists that are tried at most
   */
  public static <T> List<T> shortest(List<T> failing, Predicate<List<T>> fails, int tries) {
    List<T> shortest = List.copyOf(failing);
    int left = tries;
    int size = shortest.size();
    boolean shorter = true;
    while (size > 1 || shorter) {
      size = Math.max(1, Math.min(size / 2, shortest.size()));
      shorter = false;
      for (int from = 0; from < shortest.size(); ) {
        if (left-- == 0) {
          return shortest;
        }
        List<T> without = without(shortest, from, size);
        if (fails.test(without)) {
          shortest = without;
          shorter = true;
        } else {
          from += size;
        }
      }
    }
    return shortest;
  }

  private static <T> List<T> without(List<T> all, int from, int size) {
    List<T> rest = new ArrayList<>(all.subList(0, from));
    rest.addAll(all.subList(Math.min(all.size(), from + size), all.size()));
    return List.copyOf(rest);
  }
}
