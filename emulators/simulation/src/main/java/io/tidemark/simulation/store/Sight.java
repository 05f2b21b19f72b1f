package io.tidemark.simulation.store;

import java.time.Duration;

/**
 * How an operator's watch differs from the content of the store.
 *
 * @param writes how many of the last writes before it begins are missing in its first list
 * @param older the writes of so long before it begins are missing, too
 * @param catchesUp how long after its beginning the watch shows what was missing
 * @param hidden number of the event, from 1, that it never shows; 0 for none
 * @param listsAnew when the watch lists everything once more, from the start of the world; an event
 *     that was hidden until then is shown
 */
public record Sight(
    int writes, Duration older, Duration catchesUp, int hidden, Duration listsAnew) {
  /** A complete view without extra delay. */
  public static final Sight CLEAR = new Sight(0, Duration.ZERO, Duration.ZERO, 0, Duration.ZERO);

  /** Begins without the last {@code writes} writes. */
  public static Sight olderByWrites(int writes, Duration catchesUp) {
    return new Sight(writes, Duration.ZERO, catchesUp, 0, Duration.ZERO);
  }

  /** Begins without the writes of the last {@code span}. */
  public static Sight olderBy(Duration span, Duration catchesUp) {
    return new Sight(0, span, catchesUp, 0, Duration.ZERO);
  }

  /** Shows no event, only what a new list shows. */
  public static Sight hiding(int event, Duration listsAnew) {
    return new Sight(0, Duration.ZERO, Duration.ZERO, event, listsAnew);
  }

  /** How many of the changes there are until now the first list shows. */
  int listed(StoreHistory history, long nowNanos) {
    int count = history.changes().size();
    long until = nowNanos - older.toNanos();
    while (count > 0 && !older.isZero() && history.changes().get(count - 1).nanos() > until) {
      count--;
    }
    return Math.max(0, count - writes);
  }
}
