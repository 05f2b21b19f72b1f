package io.tidemark.provider.azure.ipam;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long operations of one kind take, so that the first poll comes when most have ended (Z8): the
 * median of the last ones. Thread-safe.
 */
final class OperationTimes {
  private static final Duration START = Duration.ofSeconds(10);
  private static final int KEPT = 15;

  /** An operation that had ended at its first poll may have ended earlier. */
  private static final double EARLIER = 0.9;

  private final Deque<Long> nanos = new ArrayDeque<>();

  /** How long such an operation usually takes. */
  synchronized Duration usual() {
    return nanos.isEmpty()
        ? START
        : Duration.ofNanos(
            nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow());
  }

  /**
   * An operation was seen to have ended.
   *
   * @param took since its request was accepted
   * @param atFirst whether its first poll showed that
   */
  synchronized void ended(Duration took, boolean atFirst) {
    nanos.addLast(atFirst ? (long) (took.toNanos() * EARLIER) : took.toNanos());
    if (nanos.size() > KEPT) {
      nanos.removeFirst();
    }
  }
}
