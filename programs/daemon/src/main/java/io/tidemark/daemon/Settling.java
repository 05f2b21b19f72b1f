package io.tidemark.daemon;

import java.time.Duration;

/**
 * Whether an operator adds no more addresses, because the instance holds only so many: none came or
 * went for a while. Not thread-safe.
 */
final class Settling {
  /** An operator that can add an address has added one by then. */
  private static final long SPAN_MILLIS = 20_000;

  private final long spanMillis;
  private long count;
  private long sinceMillis;

  /** No address was there at 0 ms. Of a short patience half is enough, so that it does not end. */
  Settling(Duration patience) {
    this.spanMillis = Math.min(SPAN_MILLIS, patience.toMillis() / 2);
  }

  /** Whether there were as many for the whole time, when there are so many {@code atMillis}. */
  boolean isSettled(long now, long atMillis) {
    if (now != count) {
      count = now;
      sinceMillis = atMillis;
    }
    return atMillis - sinceMillis >= spanMillis;
  }
}
