package io.tidemark.provider.mock.cloud;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The recent past of one value, null while it does not exist. Not thread-safe. */
final class History<V> {
  private @Nullable V current;
  private long sinceNanos = Long.MIN_VALUE;
  private @Nullable ArrayDeque<Former<V>> older;

  private record Former<V>(@Nullable V value, long sinceNanos, long untilNanos) {}

  @Nullable V current() {
    return current;
  }

  /** Changes the value; what was superseded {@code keepNanos} ago is forgotten. */
  void set(@Nullable V value, long nowNanos, long keepNanos) {
    if (keepNanos > 0) {
      ArrayDeque<Former<V>> formers = older == null ? new ArrayDeque<>() : older;
      formers.addLast(new Former<>(current, sinceNanos, nowNanos));
      while (formers.getFirst().untilNanos() < nowNanos - keepNanos) {
        formers.removeFirst();
      }
      older = formers;
    }
    current = value;
    sinceNanos = nowNanos;
  }

  /** The value at an instant that lies at most the kept time back. */
  @Nullable V at(long nanos) {
    if (older != null && nanos < sinceNanos) {
      for (Iterator<Former<V>> newestFirst = older.descendingIterator(); newestFirst.hasNext(); ) {
        Former<V> former = newestFirst.next();
        if (nanos >= former.sinceNanos()) {
          return former.value();
        }
      }
    }
    return current;
  }

  /** Whether the value is gone, and was gone at every instant that a read can show. */
  boolean isForgotten(long oldestNanos) {
    return current == null && sinceNanos <= oldestNanos;
  }
}
