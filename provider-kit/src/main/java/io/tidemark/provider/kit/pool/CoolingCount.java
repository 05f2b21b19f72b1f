package io.tidemark.provider.kit.pool;

import java.util.ArrayDeque;

/**
 * How many released addresses of a pool are not reused yet. Ends are rounded up to ten seconds, so
 * that the queue stays short. Not thread-safe.
 */
final class CoolingCount {
  private static final long STEP_NANOS = 10_000_000_000L;

  private final ArrayDeque<Batch> batches = new ArrayDeque<>();

  private record Batch(int addresses, long untilNanos) {}

  /** Released addresses that count until {@code untilNanos}, which never decreases. */
  void add(int addresses, long untilNanos) {
    long end = (Math.floorDiv(untilNanos, STEP_NANOS) + 1) * STEP_NANOS;
    Batch last = batches.peekLast();
    if (last != null && last.untilNanos() == end) {
      batches.removeLast();
      batches.addLast(new Batch(last.addresses() + addresses, end));
    } else {
      batches.addLast(new Batch(addresses, end));
    }
  }

  int count(long nowNanos) {
    while (!batches.isEmpty() && nowNanos - batches.getFirst().untilNanos() >= 0) {
      batches.removeFirst();
    }
    return batches.stream().mapToInt(Batch::addresses).sum();
  }
}
