package io.tidemark.provider.azure.ipam;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long operations of one kind take, so that the first poll comes when most have ended (Z8): the
 * median of what the polls of the last ones showed. How long a poll waits for its token does not
 * matter. Thread-safe.
 */
final class OperationTimes {
  private static final int KEPT = 15;

  /** An operation that had ended at its first poll may have ended earlier. */
  private static final double EARLIER = 0.99;

  private final Duration start;
  private final Deque<Run> kept = new ArrayDeque<>();

  /** Nothing is known yet but what such an operation may take at {@code start}. */
  OperationTimes(Duration start) {
    this.start = start;
  }

  synchronized Duration usual() {
    return kept.isEmpty()
        ? start
        : Duration.ofNanos(
            kept.stream()
                .map(run -> run.nanos)
                .sorted()
                .skip(kept.size() / 2)
                .findFirst()
                .orElseThrow());
  }

  Run begin() {
    return new Run();
  }

  /** The polls of one operation. Thread-safe. */
  final class Run {
    private long nanos;
    private boolean counts;

    /**
     * It goes on.
     *
     * @param elapsed since it was accepted
     * @param pause until the next poll; the operation is believed to end in its middle
     */
    void goesOn(Duration elapsed, Duration pause) {
      synchronized (OperationTimes.this) {
        took(elapsed.plus(pause.dividedBy(2)));
      }
    }

    void ended() {
      synchronized (OperationTimes.this) {
        if (!counts) {
          took(Duration.ofNanos((long) (usual().toNanos() * EARLIER)));
        }
      }
    }

    private void took(Duration time) {
      nanos = time.toNanos();
      if (!counts) {
        counts = true;
        kept.addLast(this);
        if (kept.size() > KEPT) {
          kept.removeFirst();
        }
      }
    }
  }
}
