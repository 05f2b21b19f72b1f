package io.tidemark.provider.azure.ipam;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * How long operations of one kind take, so that the first poll comes when most have ended (Z8): the
 * median of what the polls of the last ones showed. How long a poll waits for its token does not
 * matter. Thread-safe.
 */
final class OperationTimes {
  private static final int KEPT = 15;

  /** What had ended at its first poll may have ended earlier. */
  private static final double EARLIER = 0.99;

  private final Duration start;
  private final Deque<Sample> samples = new ArrayDeque<>();

  /** What one operation says; guarded by the lock. */
  private static final class Sample {
    private long nanos;
  }

  /** Nothing is known yet but what such an operation may take at {@code start}. */
  OperationTimes(Duration start) {
    this.start = start;
  }

  /** How long such an operation usually takes. */
  synchronized Duration usual() {
    return samples.isEmpty()
        ? start
        : Duration.ofNanos(
            samples.stream()
                .map(sample -> sample.nanos)
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElseThrow());
  }

  /** An operation was accepted. */
  Run begin() {
    return new Run();
  }

  private Sample keep(long nanos) {
    Sample sample = new Sample();
    sample.nanos = nanos;
    samples.addLast(sample);
    if (samples.size() > KEPT) {
      samples.removeFirst();
    }
    return sample;
  }

  /** The polls of one operation. Thread-safe. */
  final class Run {
    private @Nullable Sample sample;

    /**
     * It goes on.
     *
     * @param elapsed since it was accepted
     * @param pause until the next poll; the operation is believed to end in its middle
     */
    void goesOn(Duration elapsed, Duration pause) {
      long nanos = elapsed.plus(pause.dividedBy(2)).toNanos();
      synchronized (OperationTimes.this) {
        if (sample == null) {
          sample = keep(nanos);
        } else {
          sample.nanos = nanos;
        }
      }
    }

    /** It has ended well. */
    void ended() {
      synchronized (OperationTimes.this) {
        if (sample == null) {
          sample = keep((long) (usual().toNanos() * EARLIER));
        }
      }
    }
  }
}
