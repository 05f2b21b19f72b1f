package io.tidemark.simulation.demand;

import io.tidemark.time.VirtualTime;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Events on the nodes of a cluster, apart from addresses: nodes join and leave, pods arrive and
 * end. Recorded once, replayed for each policy.
 */
final class PodTrace {
  private static final int NODE_BITS = 20;
  private static final int KIND_BITS = 4;

  /** Events sort by instant, then by node, then in this order. */
  enum Kind {
    POD_ENDS,
    POD_ARRIVES,
    NODE_JOINS,
    NODE_LEAVES
  }

  /** Takes the events of a replay. */
  interface Listener {
    /** Something happens on node {@code node}. */
    void happens(Kind kind, int node);
  }

  private static final List<Kind> KINDS = List.of(Kind.values());

  private long[] events = new long[1 << 16];
  private int size;

  /** Adds an event, in any order. */
  void add(long nanos, Kind kind, int node) {
    if (size == events.length) {
      events = Arrays.copyOf(events, size * 2);
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    events[size++] = (((millis << NODE_BITS) | node) << KIND_BITS) | KINDS.indexOf(kind);
  }

  /** No event is added from now on. */
  void end() {
    events = Arrays.copyOf(events, size);
    Arrays.sort(events);
  }

  int size() {
    return size;
  }

  /** Schedules all events, each when the one before it has happened. */
  void replay(VirtualTime time, Listener listener) {
    schedule(0, time, listener);
  }

  private void schedule(int index, VirtualTime time, Listener listener) {
    if (index < size) {
      long event = events[index];
      time.at(
          TimeUnit.MILLISECONDS.toNanos(event >>> (NODE_BITS + KIND_BITS)),
          () -> {
            int node = (int) (event >>> KIND_BITS) & ((1 << NODE_BITS) - 1);
            Kind kind = KINDS.get((int) event & ((1 << KIND_BITS) - 1));
            listener.happens(kind, node);
            schedule(index + 1, time, listener);
          });
    }
  }
}
