package io.tidemark.resilience;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many requests were sent and how many of them the cloud throttled, per operation, since the
 * start. Operations without calls are absent. Immutable.
 *
 * @param calls requests sent, including retries
 * @param throttled those of them that the cloud throttled
 */
public record CallCounts(SortedMap<String, Long> calls, SortedMap<String, Long> throttled) {
  public CallCounts {
    calls = Collections.unmodifiableSortedMap(new TreeMap<>(calls));
    throttled = Collections.unmodifiableSortedMap(new TreeMap<>(throttled));
  }

  /** All requests. */
  public long allCalls() {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }
}
