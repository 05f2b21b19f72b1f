package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallKind.Effect;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How often each machine was asked in the last minute, and which one was refused: whether a 429 of
 * the compute provider is the machine's own (13.3). Bounded; thread-safe.
 */
final class MachineCounts {
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final int MACHINES_MAX = 20_000;
  private static final int WRITES = 4;
  private static final int READS = 12;
  private static final int POLLS = 15;

  private final Object lock = new Object();

  private final Map<String, Deque<Long>> asked =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Long>> eldest) {
          return size() > MACHINES_MAX;
        }
      };

  private final Map<ArmOperation, Refused> refused = new EnumMap<>(ArmOperation.class);

  /** The last refusal; {@code otherNanos} tells when another machine's was. */
  private record Refused(ResourceId machine, long nanos, Optional<Long> otherNanos) {}

  /** Counts a request; whether there were as many in the last minute as a machine allows. */
  boolean count(ArmOperation operation, ResourceId machine, long nowNanos) {
    int most =
        operation == ArmOperation.OPERATION_GET
            ? POLLS
            : operation.kind().effect() == Effect.READ ? READS : WRITES;
    synchronized (lock) {
      Deque<Long> times =
          asked.computeIfAbsent(
              operation + " " + machine.text().toLowerCase(Locale.ROOT), key -> new ArrayDeque<>());
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

  /**
   * A request was refused; whether no other machine's was in the last minute. Others use the bucket
   * of a machine, too.
   */
  boolean refusedAlone(ArmOperation operation, ResourceId machine, long nowNanos) {
    synchronized (lock) {
      Optional<Refused> last = Optional.ofNullable(refused.get(operation));
      Optional<Long> other =
          last.flatMap(
              before ->
                  before.machine().equals(machine)
                      ? before.otherNanos()
                      : Optional.of(before.nanos()));
      refused.put(operation, new Refused(machine, nowNanos, other));
      return other.filter(nanos -> nowNanos - nanos <= MINUTE_NANOS).isEmpty();
    }
  }
}
