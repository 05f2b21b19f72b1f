package io.tidemark.time;

/**
 * The two clocks. Thread-safe; never blocks.
 *
 * <p>Durations and deadlines are measured with {@link #nanos()} alone (node-manager 9.3 NM-L5); the
 * wall clock is for people and for objects that other programs read.
 */
public interface TimeSource {
  /** Monotonic nanoseconds since an arbitrary origin. Compare by subtraction. */
  long nanos();

  /** Wall time in milliseconds since 1970-01-01T00:00Z; may step in both directions. */
  long epochMillis();
}
