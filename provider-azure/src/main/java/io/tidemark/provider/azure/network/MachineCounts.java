package io.tidemark.provider.azure.network;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How often each machine was asked in the last minute: whether a 429 of the compute provider is the
 * machine's own (13.3). Bounded; thread-safe.
 */
final class MachineCounts {
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final int MACHINES_MAX = 20_000;
  private static final int WRITES = 4;
  private static final int READS = 12;

  private final Object lock = new Object();

  private final Map<String, Deque<Long>> asked =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Long>> eldest) {
          return size() > MACHINES_MAX;
        }
      };

  /** Counts a request; whether there were as many in the last minute as a machine allows. */
  boolean count(ResourceId machine, boolean write, long nowNanos) {
    int most = write ? WRITES : READS;
    synchronized (lock) {
      Deque<Long> times =
          asked.computeIfAbsent(
              (write ? "w " : "r ") + machine.text().toLowerCase(Locale.ROOT),
              key -> new ArrayDeque<>());
      while (!times.isEmpty() && nowNanos - times.peekFirst() > MINUTE_NANOS) {
        times.removeFirst();
      }
      times.addLast(nowNanos);
      if (times.size() > most) {
        times.removeFirst();
        return true;
      }
      return times.size() == most;
    }
  }
}
