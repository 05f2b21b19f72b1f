package io.tidemark.provider.azure.ipam;

import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How often the model of each Uniform instance is written: Azure takes four writes a minute (13.2,
 * N29). Thread-safe.
 */
final class WritePace {
  private static final int WRITES_MAX = 4;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final ConcurrentHashMap<InstanceId, Deque<Long>> written = new ConcurrentHashMap<>();

  /**
   * Takes a place for a write.
   *
   * @return the pause until there is one; empty when the write may go now
   */
  Optional<Duration> take(InstanceId instance, long nowNanos) {
    long[] pause = new long[1];
    written.compute(
        instance,
        (id, old) -> {
          Deque<Long> times = old == null ? new ArrayDeque<>() : old;
          while (!times.isEmpty() && nowNanos - times.getFirst() >= WINDOW.toNanos()) {
            times.removeFirst();
          }
          if (times.size() >= WRITES_MAX) {
            pause[0] = times.getFirst() + WINDOW.toNanos() - nowNanos;
          } else {
            times.addLast(nowNanos);
          }
          return times;
        });
    return pause[0] == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(pause[0]));
  }

  void forget(InstanceId instance) {
    written.remove(instance);
  }
}
