package io.tidemark.node;

import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Since when which node misses addresses, oldest first: the oldest is known without looking at the
 * others. Thread-safe.
 */
final class DeficitAges {
  private final ConcurrentSkipListSet<Since> open =
      new ConcurrentSkipListSet<>(
          Comparator.comparingLong(Since::nanos).thenComparing(Since::node));

  /** One node's deficit, from when to when nobody knows yet. */
  record Since(long nanos, String node) {}

  /** A node begins to miss addresses. */
  Since began(String node, long nanos) {
    Since since = new Since(nanos, node);
    open.add(since);
    return since;
  }

  /** It misses none any more, or is gone. */
  void ended(Since since) {
    open.remove(since);
  }

  /** Age of the oldest deficit; zero when there is none. */
  Duration oldest(long nowNanos) {
    // pollFirst would remove, first() would throw on an empty set.
    for (Since first : open) {
      return Duration.ofNanos(Math.max(0, nowNanos - first.nanos()));
    }
    return Duration.ZERO;
  }
}
