package io.tidemark.resilience;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests per operation over all accounts. Thread-safe. */
final class CallCounters {
  private final Map<String, Count> counts = new ConcurrentHashMap<>();

  /** The counters of one operation. */
  static final class Count {
    private final LongAdder calls = new LongAdder();
    private final LongAdder throttled = new LongAdder();

    void sent() {
      calls.increment();
    }

    void throttled() {
      throttled.increment();
    }
  }

  Count of(String operation) {
    return counts.computeIfAbsent(operation, name -> new Count());
  }

  CallCounts snapshot() {
    Map<String, Long> calls = new TreeMap<>();
    Map<String, Long> throttled = new TreeMap<>();
    counts.forEach(
        (operation, count) -> {
          put(calls, operation, count.calls.sum());
          put(throttled, operation, count.throttled.sum());
        });
    return new CallCounts(new TreeMap<>(calls), new TreeMap<>(throttled));
  }

  private static void put(Map<String, Long> into, String operation, long count) {
    if (count > 0) {
      into.put(operation, count);
    }
  }
}
