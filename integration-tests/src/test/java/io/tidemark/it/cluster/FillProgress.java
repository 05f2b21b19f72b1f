package io.tidemark.it.cluster;

import io.tidemark.kubernetes.ClusterConnection;
import java.time.Duration;
import java.util.List;

/**
 * Looks how many nodes are written, as seldom as the pace allows: to count all that was asked of it
 * costs the server a tenth of a second of what the operator needs, too.
 */
final class FillProgress {
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final ClusterConnection admin;
  private final ServerRequests before;
  private final int nodes;
  private final List<String> writes;
  private long written;
  private long lookedNanos = System.nanoTime();
  private Duration pause = SHORTEST;
  private long beganNanos = lookedNanos;

  /** Of so many nodes, each of which needs these writes. */
  FillProgress(ClusterConnection admin, ServerRequests before, int nodes, String... writes) {
    this.admin = admin;
    this.before = before;
    this.nodes = nodes;
    this.writes = List.of(writes);
  }

  /** Whether every node had all of its writes. */
  boolean isDone() {
    ServerRequests now = ServerRequests.of(admin).since(before);
    long nanos = System.nanoTime();
    long done = writes.stream().mapToLong(now::of).min().orElse(0);
    if (written == 0) {
      beganNanos = lookedNanos;
    }
    if (done > written) {
      double perNode = (double) (nanos - lookedNanos) / (done - written);
      pause = within(Duration.ofNanos((long) (perNode * (nodes - done) / 2)));
    }
    written = done;
    lookedNanos = nanos;
    return done >= nodes;
  }

  /** When it was seen last that nothing was written yet, at most half a second before the first. */
  long beganNanos() {
    return beganNanos;
  }

  /** Until the next look: half of what is left at the present pace. */
  Duration pause() {
    return pause;
  }

  private static Duration within(Duration wanted) {
    return wanted.compareTo(SHORTEST) < 0
        ? SHORTEST
        : wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted;
  }
}
