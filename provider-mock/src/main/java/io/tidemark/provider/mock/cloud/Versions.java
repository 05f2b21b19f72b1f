package io.tidemark.provider.mock.cloud;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The recent past of one value: what it was at an instant that lies at most the given time back.
 * Not thread-safe.
 */
final class Versions<V> {
  private @Nullable V current;
  private long sinceNanos;
  private @Nullable ArrayDeque<Version<V>> older;

  private record Version<V>(@Nullable V value, long sinceNanos) {}

  /** A value that did not exist before {@code nowNanos}. */
  Versions(V first, long nowNanos) {
    this.current = first;
    this.sinceNanos = nowNanos;
  }

  /** The value now; null when it is gone. */
  @Nullable V current() {
    return current;
  }

  /** Changes the value; what was superseded longer than {@code keepNanos} ago is forgotten. */
  void set(@Nullable V value, long nowNanos, long keepNanos) {
    if (keepNanos > 0) {
      if (older == null) {
        older = new ArrayDeque<>();
      }
      older.addLast(new Version<>(current, sinceNanos));
      forgetBefore(nowNanos - keepNanos, nowNanos);
    }
    current = value;
    sinceNanos = nowNanos;
  }

  /** The value at an instant; null when it did not exist then. */
  @Nullable V at(long nanos) {
    if (nanos - sinceNanos >= 0) {
      return current;
    }
    if (older != null) {
      for (var newestFirst = older.descendingIterator(); newestFirst.hasNext(); ) {
        Version<V> version = newestFirst.next();
        if (nanos - version.sinceNanos() >= 0) {
          return version.value();
        }
      }
    }
    return null;
  }

  /** A version is needed as long as its successor is younger than the horizon. */
  private void forgetBefore(long horizonNanos, long currentUntilNanos) {
    ArrayDeque<Version<V>> kept = older;
    while (kept != null && kept.size() > 1) {
      Version<V> first = kept.removeFirst();
      long supersededAt = kept.getFirst().sinceNanos();
      if (supersededAt - horizonNanos > 0) {
        kept.addFirst(first);
        return;
      }
    }
    if (kept != null && kept.size() == 1 && currentUntilNanos - horizonNanos <= 0) {
      kept.clear();
    }
  }
}
